// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The values of folders that stay get another form.

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "crypto/legacy_aes_cbc.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "reshard/progress.h"
#include "reshard/recode_fixture.h"
#include "reshard/value_codec.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/grep.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using RecodeTest = RecodeFixture;

TEST_F(RecodeTest, OnAndOffAgainIsTheSameSet) {
  std::string before = "plain";
  for (const char* const form : {"ring", "plain", "ring", "other", "plain",
                                 "compressed", "ring", "compressed", "plain"}) {
    ASSERT_OK_AND_ASSIGN(const ReshardResult result, Run(before, form));
    EXPECT_EQ(result.contents, DigestOf(entries_));
    EXPECT_EQ(result.moved, entries_.size());
    ExpectHolds(form, entries_);
    before = form;
  }
  ExpectNotMarked();
}

TEST_F(RecodeTest, NoOldValueIsLeftInAnyFile) {
  // Old values in deep levels, in tables above, deleted, in the log, and in
  // files of LevelDB's that are no database.
  std::vector<std::string> planted;
  for (int round = 0; round < 4; ++round) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                         OpenLevelDb(a_, ShardOptions()));
    const leveldb::WriteOptions write;
    planted.push_back(PlantedMarker(round));
    ASSERT_OK(db->Put(write, KeyOf(0, "kept"), planted.back()));
    planted.push_back(PlantedMarker(10 + round));
    ASSERT_OK(
        db->Put(write, KeyOf(0, absl::StrCat("gone", round)), planted.back()));
    if (round < 2) db->CompactRange(nullptr, nullptr);
    ASSERT_OK(db->Delete(write, KeyOf(0, absl::StrCat("gone", round))));
    ASSERT_OK(db->Close());
  }
  int there = 0;  // compactions have dropped the others
  for (const std::string& text : planted) {
    ASSERT_OK_AND_ASSIGN(const std::vector<std::string> files,
                         FilesContaining(a_, text));
    there += !files.empty();
  }
  ASSERT_GE(there, 4);
  ASSERT_OK(Run("plain", "ring"));
  for (const std::string& text : planted) {
    EXPECT_THAT(FilesContaining(dir_.path(), text), IsOkAndHolds(IsEmpty()));
  }
  EXPECT_THAT(FilesContaining(dir_.path(), "overwritten later"),
              IsOkAndHolds(IsEmpty()));
  for (const auto& [key, value] : entries_) {
    if (value.size() < 8) continue;
    EXPECT_THAT(FilesContaining(dir_.path(), value), IsOkAndHolds(IsEmpty()))
        << absl::BytesToHexString(key);
  }
}

TEST_F(RecodeTest, AValueUnderTheOldKeyIsLeftNowhereEither) {
  ASSERT_OK(Run("plain", "ring"));
  const Entries old = ReadFolder(a_);
  rings_.Rotate();
  ASSERT_OK(Run("ring", "ring"));
  for (const auto& [key, stored] : old) {
    EXPECT_THAT(FilesContaining(a_, stored), IsOkAndHolds(IsEmpty()));
  }
  const ValueCodec ring = rings_.Codec("ring");
  for (const auto& [key, stored] : ReadFolder(a_)) {
    EXPECT_TRUE(ring.SealedByPrimary(stored));
  }
}

TEST_F(RecodeTest, WhatIsUnderThePrimaryAlreadyIsLeftAlone) {
  ASSERT_OK(Run("plain", "ring"));
  const Entries sealed = ReadFolder(a_);
  ASSERT_OK_AND_ASSIGN(const ReshardResult nothing, Run("ring", "ring"));
  EXPECT_EQ(nothing.moved, 0);
  EXPECT_EQ(nothing.contents, DigestOf(entries_));
  EXPECT_TRUE(ReadFolder(a_) == sealed);

  rings_.Rotate();
  const std::string key = KeyOf(0, "new");
  Put(a_, key, rings_.Stored("ring", {{key, "value"}})[key]);
  ASSERT_OK_AND_ASSIGN(const ReshardResult some, Run("ring", "ring"));
  EXPECT_EQ(some.moved, entries_.size());
  EXPECT_EQ(some.contents.entries(), entries_.size() + 1);
}

// The form is the same before and after; the bytes tell.
TEST_F(RecodeTest, WhatIsCompressedOtherwiseIsStoredAnew) {
  const std::string key = KeyOf(0, "compressible");
  const std::string value(5000, 'v');
  Put(a_, key, value);
  ASSERT_OK(Run("plain", "compressed"));
  const std::string stored = ReadFolder(a_)[key];
  EXPECT_EQ(stored, rings_.Stored("compressed", {{key, value}})[key]);
  ASSERT_OK_AND_ASSIGN(const ReshardResult nothing,
                       Run("compressed", "compressed"));
  EXPECT_EQ(nothing.moved, 0);
  ASSERT_OK_AND_ASSIGN(const ReshardResult one, Run("compressed", "zstd"));
  EXPECT_EQ(one.moved, 1);
  EXPECT_EQ(one.contents, nothing.contents);
  EXPECT_EQ(ReadFolder(a_)[key], rings_.Stored("zstd", {{key, value}})[key]);
  EXPECT_THAT(FilesContaining(a_, stored), IsOkAndHolds(IsEmpty()));
  ExpectNotMarked();
}

TEST_F(RecodeTest, NoDigestOfValuesIsWrittenToDisk) {
  ReshardOptions plain = Command("plain", "plain");
  ASSERT_OK(Reshard(plain));
  // A record of a run with plain values may have one; it goes.
  plain.outputs = {a_};
  ASSERT_OK(Reshard(plain));
  plain.inputs = {a_};
  plain.outputs = folders_;
  ASSERT_OK(Reshard(plain));
  const std::string digest = DigestOf(entries_).ToHex();
  ASSERT_THAT(FilesContaining(dir_.path(), digest),
              IsOkAndHolds(Not(IsEmpty())));
  ReshardOptions options = Command("plain", "ring");
  bool looked = false;
  options.on_step = [&](absl::string_view step) {
    if (step != "finished") return;
    looked = true;
    for (const std::string& folder : folders_) {
      std::stringstream marker;
      marker << std::ifstream(folder + "/RESHARD").rdbuf();
      EXPECT_THAT(marker.str(),
                  AllOf(HasSubstr("shardingdb-reshard 2\n"),
                        Not(HasSubstr("entries")), Not(HasSubstr("digest"))));
    }
  };
  ASSERT_OK(Reshard(options));
  EXPECT_TRUE(looked);
  EXPECT_THAT(FilesContaining(dir_.path(), digest), IsOkAndHolds(IsEmpty()));
}

TEST_F(RecodeTest, LegacyValuesAreSealed) {
  const std::string key = KeyOf(0, "key");
  const std::vector<std::string> folder = {dir_.Join("legacy")};
  const std::string zeros(16, '\0');
  WriteSet(folder, JumpSharding(),
           {{"empty", ""},
            {"short", zeros + absl::HexStringToBytes(
                                  "ff4cd81a245b6d47a03fc547b52ea2fb")},
            {"block", zeros + absl::HexStringToBytes(
                                  "ddbd81998cce01366ef685155b631f5e7f4c66083a57"
                                  "043679691b46ee2386d8")}});
  ReshardOptions options = Command("plain", "ring");
  options.inputs = folder;
  options.in_values =
      LegacyValues(NewLegacyAesCbc(SecretBytes("1234567890123456")).value());
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Reshard(options));
  EXPECT_EQ(result.contents, DigestOf({{"empty", ""},
                                       {"short", "value"},
                                       {"block", "sixteen bytes..."}}));
  // Again, as after a last line that nobody saw.
  ASSERT_OK_AND_ASSIGN(const ReshardResult again, Reshard(options));
  EXPECT_EQ(again.moved, 0);
  EXPECT_EQ(again.contents, result.contents);
}

TEST_F(RecodeTest, TheThrottleAppliesToWhatIsRewritten) {
  ReshardOptions options = Command("plain", "ring");
  options.throttle_bytes_per_second = 1 << 20;
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Reshard(options));
  // But for the last batches, which nobody waits behind.
  EXPECT_GE(absl::ToDoubleSeconds(result.time),
            static_cast<double>(result.moved_bytes - 2 * 80000) / (1 << 20));
}

TEST_F(RecodeTest, FilesThatAreNotTheDatabasesAreNamed) {
  std::ofstream(a_ + "/000003.ldb.bak") << "an old value perhaps";
  std::ofstream(a_ + "/backup.ldb") << "another";
  std::string said;
  Progress::Options options;
  options.write = [&](absl::string_view text) { absl::StrAppend(&said, text); };
  Progress progress(options);
  ReshardOptions command = Command("plain", "ring");
  command.progress = &progress;
  ASSERT_OK(Reshard(command));
  EXPECT_THAT(said, HasSubstr(a_ + ": '000003.ldb.bak' does not belong"));
  EXPECT_THAT(said, HasSubstr(a_ + ": 'backup.ldb' does not belong"));
}

}  // namespace
}  // namespace shardingdb
