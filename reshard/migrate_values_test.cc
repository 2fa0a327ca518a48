// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Values that get another form on the way to new folders.

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/folders_digest.h"
#include "reshard/generated_set.h"
#include "reshard/marker.h"
#include "reshard/offline_reshard.h"
#include "reshard/test_rings.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/grep.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class MigrateValuesTest : public ::testing::Test {
 protected:
  MigrateValuesTest() { WriteSet(inputs_, MurmurSharding(), entries_); }

  ReshardOptions Command(const std::string& in, const std::string& out) {
    ReshardOptions options;
    options.inputs = inputs_;
    options.outputs = outputs_;
    options.batch_bytes = 8192;
    options.in_values = rings_.Codec(in);
    options.out_values = rings_.Codec(out);
    return options;
  }
  void Interrupt(ReshardOptions options, absl::string_view at, int times = 1) {
    std::atomic<bool> stop{false};
    std::atomic<int> seen{0};
    options.stop = &stop;
    options.on_step = [&](absl::string_view step) {
      if (step == at && ++seen == times) stop = true;
    };
    ASSERT_THAT(Reshard(options), StatusIs(absl::StatusCode::kCancelled));
  }
  // Where in the runs below `step` is passed, the process dies; as good as it.
  void CopyFoldersAt(ReshardOptions options, absl::string_view at,
                     const std::string& copy) {
    options.on_step = [&](absl::string_view step) {
      if (step != at || std::filesystem::exists(copy)) return;
      std::filesystem::copy(outputs_[0], copy,
                            std::filesystem::copy_options::recursive);
    };
    ASSERT_OK(Reshard(options));
  }
  Entries Opened() {
    Entries opened;
    for (const auto& [key, value] : ReadSet(outputs_, JumpSharding())) {
      opened[key] = rings_.Opened(key, value);
    }
    return opened;
  }
  void Put(const std::string& folder, const std::string& key,
           const std::string& stored) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                         OpenLevelDb(folder, ShardOptions()));
    ASSERT_OK(db->Put(leveldb::WriteOptions(), key, stored));
    ASSERT_OK(db->Close());
  }

  TempDir dir_;
  TestRings rings_;
  const std::vector<std::string> inputs_ = {dir_.Join("a"), dir_.Join("b")};
  const std::vector<std::string> outputs_ = {dir_.Join("x"), dir_.Join("y"),
                                             dir_.Join("z")};
  const Entries entries_ = GenerateEntries(8, 1500);
};

TEST_F(MigrateValuesTest, SealedAndInClearAgain) {
  const std::map<std::string, std::string> before = FilesOf(inputs_[0]);
  ASSERT_OK_AND_ASSIGN(const ReshardResult result,
                       Reshard(Command("plain", "ring")));
  EXPECT_EQ(result.contents, DigestOf(entries_));
  EXPECT_EQ(result.moved, entries_.size());
  EXPECT_TRUE(Opened() == entries_);
  EXPECT_TRUE(FilesOf(inputs_[0]) == before);
  for (const std::string& output : outputs_) {
    for (const auto& [key, value] : entries_) {
      if (value.size() < 8) continue;
      EXPECT_THAT(FilesContaining(output, value), IsOkAndHolds(IsEmpty()));
    }
    EXPECT_THAT(FilesContaining(output, result.contents.ToHex()),
                IsOkAndHolds(IsEmpty()));
  }
  ReshardOptions back = Command("ring", "plain");
  back.inputs = outputs_;
  back.outputs = {dir_.Join("again")};
  ASSERT_OK(Reshard(back));
  EXPECT_TRUE(ReadFolder(dir_.Join("again")) == entries_);
}

TEST_F(MigrateValuesTest, CompressedAndSealedFromThere) {
  ASSERT_OK_AND_ASSIGN(const FoldersDigest plain, DigestOfFolders(inputs_));
  Interrupt(Command("plain", "zstd"), "batch copied", 4);
  ASSERT_OK_AND_ASSIGN(const ReshardResult result,
                       Reshard(Command("plain", "zstd")));
  EXPECT_EQ(result.contents, DigestOf(entries_));
  EXPECT_TRUE(Opened() == entries_);
  const ValueCodec zstd = rings_.Codec("zstd");
  for (const auto& [key, stored] : ReadSet(outputs_, JumpSharding())) {
    EXPECT_TRUE(zstd.IsCurrent(key, stored, entries_.at(key)));
  }
  ASSERT_OK_AND_ASSIGN(const FoldersDigest compressed,
                       DigestOfFolders(outputs_, nullptr, nullptr, nullptr,
                                       rings_.Codec("compressed")));
  EXPECT_EQ(compressed.sha256, plain.sha256);
  EXPECT_THAT(
      DigestOfFolders(inputs_, nullptr, nullptr, nullptr, zstd),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr(inputs_[0]), HasSubstr("--in-compressed"))));
  ReshardOptions seal = Command("plain", "ring");
  seal.inputs = outputs_;
  seal.outputs = {dir_.Join("sealed")};
  EXPECT_THAT(Reshard(seal), StatusIs(absl::StatusCode::kFailedPrecondition,
                                      AllOf(HasSubstr(outputs_[0]),
                                            HasSubstr("say --in-compressed"))));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("sealed")));
  seal.in_values = zstd;
  ASSERT_OK_AND_ASSIGN(const ReshardResult sealed, Reshard(seal));
  EXPECT_EQ(sealed.contents, result.contents);
}

TEST_F(MigrateValuesTest, TheDigestOfASealedSetIsThatOfItsValues) {
  ASSERT_OK_AND_ASSIGN(const FoldersDigest plain, DigestOfFolders(inputs_));
  ASSERT_OK(Reshard(Command("plain", "ring")));
  ASSERT_OK_AND_ASSIGN(const FoldersDigest sealed,
                       DigestOfFolders(outputs_, nullptr, nullptr, nullptr,
                                       rings_.Codec("ring")));
  EXPECT_EQ(sealed.entries, plain.entries);
  EXPECT_EQ(sealed.sha256, plain.sha256);
  EXPECT_THAT(
      DigestOfFolders(outputs_, nullptr, nullptr, nullptr,
                      rings_.Codec("other")),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr(outputs_[0]), HasSubstr("unknown key id"))));
  const std::string key = ReadFolder(outputs_[1]).rbegin()->first;
  Put(outputs_[1], key, "damage");
  EXPECT_THAT(DigestOfFolders(outputs_, nullptr, nullptr, nullptr,
                              rings_.Codec("ring")),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(outputs_[1]), HasSubstr("0x"),
                             HasSubstr("unknown version"))));
}

TEST_F(MigrateValuesTest, ASealedSetIsMovedWithoutKeys) {
  ASSERT_OK(Reshard(Command("plain", "ring")));
  const Entries sealed = ReadSet(outputs_, JumpSharding());
  ReshardOptions shrink;
  shrink.inputs = outputs_;
  shrink.outputs = {outputs_[0]};
  ASSERT_OK(Reshard(shrink));
  EXPECT_TRUE(ReadFolder(outputs_[0]) == sealed);
}

TEST_F(MigrateValuesTest, WrongFormsAreRefusedBeforeAnythingIsMade) {
  EXPECT_THAT(Reshard(Command("ring", "plain")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(inputs_[0]), HasSubstr("do not open"))));
  EXPECT_FALSE(std::filesystem::exists(outputs_[0]));
  ASSERT_OK(Reshard(Command("plain", "ring")));
  ReshardOptions twice = Command("plain", "ring");
  twice.inputs = outputs_;
  twice.outputs = {dir_.Join("twice")};
  EXPECT_THAT(Reshard(twice),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(outputs_[0]),
                             HasSubstr("sealing them twice is refused"))));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("twice")));
}

TEST_F(MigrateValuesTest, AValueThatDoesNotOpenIsNeverCopied) {
  ReshardOptions options = Command("plain", "ring");
  ASSERT_OK(Reshard(options));
  options = Command("ring", "plain");
  options.inputs = outputs_;
  options.outputs = {dir_.Join("clear")};
  // Far from the first ones, and in blocks of all sizes.
  for (const size_t back : {size_t{0}, size_t{1}, size_t{50}, size_t{200}}) {
    const Entries before = ReadFolder(outputs_[2]);
    const auto victim = std::next(before.rbegin(), back);
    Put(outputs_[2], victim->first, "damage");
    EXPECT_THAT(Reshard(options), StatusIs(absl::StatusCode::kDataLoss,
                                           AllOf(HasSubstr(outputs_[2]),
                                                 HasSubstr("does not open"),
                                                 Not(HasSubstr("damage\"")))));
    for (const auto& [key, value] : ReadFolder(dir_.Join("clear"))) {
      EXPECT_EQ(entries_.at(key), value);
    }
    Put(outputs_[2], victim->first, victim->second);
  }
  ASSERT_OK(Reshard(options));
  EXPECT_TRUE(ReadFolder(dir_.Join("clear")) == entries_);
}

TEST_F(MigrateValuesTest, GoesOnWithTheSameRingOnly) {
  Interrupt(Command("plain", "ring"), "batch copied", 4);
  EXPECT_THAT(Reshard(Command("plain", "other")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("unfinished reshard"),
                             HasSubstr(rings_.File("ring")->ring_id()))));
  ReshardOptions plain = Command("plain", "plain");
  EXPECT_THAT(Reshard(plain), StatusIs(absl::StatusCode::kFailedPrecondition,
                                       HasSubstr("unfinished reshard")));
  rings_.Rotate();
  ASSERT_OK_AND_ASSIGN(const ReshardResult result,
                       Reshard(Command("plain", "ring")));
  EXPECT_LT(result.moved, entries_.size());
  EXPECT_TRUE(Opened() == entries_);
}

TEST_F(MigrateValuesTest, AgainAfterItHasFinished) {
  ASSERT_OK(Reshard(Command("plain", "ring")));
  ASSERT_OK_AND_ASSIGN(const ReshardResult again,
                       Reshard(Command("plain", "ring")));
  EXPECT_EQ(again.moved, 0);
  EXPECT_EQ(again.contents, DigestOf(entries_));
  Put(inputs_[0], "late", "value");
  EXPECT_THAT(Reshard(Command("plain", "ring")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(outputs_[0]),
                             HasSubstr("the inputs or the result have "
                                       "changed since"))));
}

// Between "finished" and the end there is no digest to compare with: both sides
// are read.
TEST_F(MigrateValuesTest, AFinishedRunIsComparedWithItsInputs) {
  const std::string copy = dir_.Join("copy");
  CopyFoldersAt(Command("plain", "ring"), "finished", copy);
  const auto restore = [&] {
    std::filesystem::remove_all(outputs_[0]);
    std::filesystem::copy(copy, outputs_[0],
                          std::filesystem::copy_options::recursive);
    for (size_t i = 1; i < outputs_.size(); ++i) {
      std::filesystem::copy_file(
          outputs_[0] + "/RESHARD", outputs_[i] + "/RESHARD",
          std::filesystem::copy_options::overwrite_existing);
    }
  };
  restore();
  ASSERT_OK_AND_ASSIGN(const ReshardResult result,
                       Reshard(Command("plain", "ring")));
  EXPECT_EQ(result.contents, DigestOf(entries_));
  EXPECT_FALSE(std::filesystem::exists(outputs_[0] + "/RESHARD"));
  restore();
  Put(inputs_[0], "late", "value");
  EXPECT_THAT(
      Reshard(Command("plain", "ring")),
      StatusIs(absl::StatusCode::kAborted, HasSubstr("verification failed")));
}

TEST_F(MigrateValuesTest, TheThrottleAppliesToCopies) {
  ReshardOptions options = Command("plain", "ring");
  options.throttle_bytes_per_second = 1 << 20;
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Reshard(options));
  // But for the last batch of each writer, which nobody waits behind.
  const double seconds =
      static_cast<double>(result.moved_bytes - 3 * 80000) / (1 << 20);
  EXPECT_GE(absl::ToDoubleSeconds(result.time), seconds);
}

}  // namespace
}  // namespace shardingdb
