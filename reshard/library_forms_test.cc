// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Sets that the library has made in each of its forms go through the program,
// and the library opens them afterwards.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "crypto/compression.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "reshard/generated_set.h"
#include "reshard/test_rings.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/run_program.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

enum class Form { kPlain, kCompressed, kSealed, kOpaque };

class LibraryFormsTest : public ::testing::Test {
 protected:
  LibraryFormsTest() {
    ::unsetenv("BUILD_WORKING_DIRECTORY");
    for (size_t i = 0; i < 400; ++i) {
      entries_[absl::StrCat("compressible ", i)] =
          std::string(200 + i, static_cast<char>('a' + i % 26));
    }
  }

  ShardingDbBuilder Builder(Form form, size_t shards) {
    std::vector<std::string> paths;
    for (size_t i = 0; i < shards; ++i) {
      paths.push_back(dir_.Join(absl::StrCat(i)));
    }
    ShardingDbBuilder builder;
    builder.WithDbPaths(paths);
    const KeyRingFile& keys = *rings_.File("ring");
    if (form == Form::kCompressed) {
      builder.WithValueCompression(Compression::kSnappy);
    }
    if (form == Form::kSealed || form == Form::kOpaque) {
      builder.WithEncryption(keys.ring());
    }
    if (form == Form::kOpaque) builder.WithOpaqueKeys(keys.key_prf());
    return builder;
  }
  void Write(Form form, size_t shards) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ShardingDb> db,
                         Builder(form, shards).Build());
    for (const auto& [key, value] : entries_) {
      ASSERT_OK(db->Put(leveldb::WriteOptions(), key, value));
    }
    ASSERT_OK(db->Close());
  }
  // Opened by the library, the set has all entries and no others.
  void ExpectHolds(Form form, size_t shards) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ShardingDb> db,
                         Builder(form, shards).Build());
    std::string value;
    for (const auto& [key, expected] : entries_) {
      ASSERT_OK(db->Get(leveldb::ReadOptions(), key, &value));
      ASSERT_EQ(value, expected);
    }
    const std::unique_ptr<leveldb::Iterator> iterator(
        db->NewIterator(leveldb::ReadOptions()));
    Entries found;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      found[iterator->key().ToString()] = iterator->value().ToString();
    }
    EXPECT_OK(iterator->status());
    EXPECT_TRUE(found == entries_);
  }
  std::string Folders(size_t shards) {
    std::vector<std::string> paths;
    for (size_t i = 0; i < shards; ++i) {
      paths.push_back(dir_.Join(absl::StrCat(i)));
    }
    return absl::StrJoin(paths, ",");
  }

  ProgramResult Run(std::vector<std::string> arguments) {
    arguments.push_back("-l=0");
    return RunProgram("reshard/reshard", arguments);
  }
  // Runs the program on a set of three, in place.
  ProgramResult Change(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-i", Folders(3)});
    return Run(std::move(arguments));
  }
  void ExpectDone(const ProgramResult& result, size_t moved) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.LastLine(),
                StartsWith(absl::StrCat("reshard: entries=", entries_.size(),
                                        " moved=", moved, " bytes=")));
  }
  void ExpectExit(const ProgramResult& result, int code,
                  const ::testing::Matcher<std::string>& message) {
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_THAT(result.err, message);
    EXPECT_FALSE(std::filesystem::exists(dir_.Join("0/RESHARD")));
  }
  std::string Digest(std::vector<std::string> arguments, size_t shards = 3) {
    arguments.insert(arguments.end(), {"--digest", "-i", Folders(shards)});
    const ProgramResult result = Run(std::move(arguments));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  TempDir dir_;
  TestRings rings_;
  Entries entries_ = GenerateEntries(12, 400);
  const std::string kek_ = "--kek-file=" + rings_.KekPath();
  const std::string ring_ = "--key-ring=" + rings_.Path("ring");
  const std::string in_ring_ = "--in-key-ring=" + rings_.Path("ring");
};

TEST_F(LibraryFormsTest, CompressedValues) {
  const size_t all = entries_.size();
  Write(Form::kPlain, 3);
  const std::string digest = Digest({});
  ExpectDone(Change({"--value-compression=snappy"}), all);
  ExpectHolds(Form::kCompressed, 3);
  EXPECT_NE(Digest({}), digest);
  EXPECT_EQ(Digest({"--in-compressed"}), digest);
  ExpectDone(Change({"--in-compressed", "--value-compression=zstd"}), 400);
  ExpectHolds(Form::kCompressed, 3);
  ExpectDone(Change({"--in-compressed", ring_, kek_}), all);
  ExpectHolds(Form::kSealed, 3);
  ExpectDone(Change({in_ring_, kek_, "--value-compression=snappy"}), all);
  ExpectHolds(Form::kCompressed, 3);
  ExpectDone(Change({"--in_compressed"}), all);
  ExpectHolds(Form::kPlain, 3);
  EXPECT_EQ(Digest({}), digest);
}

TEST_F(LibraryFormsTest, CompressedValuesAreMovedWithoutAFlag) {
  Write(Form::kCompressed, 3);
  const std::string digest = Digest({"--in-compressed"});
  const ProgramResult grown = Run({"-i", Folders(3), "-o", Folders(4)});
  EXPECT_EQ(grown.exit_code, 0) << grown.err;
  ExpectHolds(Form::kCompressed, 4);
  EXPECT_EQ(Digest({"--in-compressed"}, 4), digest);
}

TEST_F(LibraryFormsTest, TheOtherFormIs3WithTheFlagToGive) {
  Write(Form::kCompressed, 3);
  ExpectExit(Change({ring_, kek_}), 3, HasSubstr("say --in-compressed"));
  ExpectExit(Change({"--value-compression=zstd"}), 3,
             HasSubstr("say --in-compressed"));
  ExpectExit(Change({in_ring_, kek_}), 3, HasSubstr("say --in-compressed"));
  ExpectExit(Change({in_ring_, kek_, "--digest"}), 3,
             HasSubstr("say --in-compressed"));
  ExpectHolds(Form::kCompressed, 3);
  ExpectDone(Change({"--in-compressed"}), entries_.size());
  for (const char* const folder : {"0", "1", "2"}) {
    std::filesystem::remove(dir_.Join(absl::StrCat(folder, "/RESHARD.done")));
  }
  ExpectExit(Change({"--in-compressed"}), 3,
             HasSubstr("need no --in-compressed"));
  ExpectExit(Change({"--in-compressed", "--digest"}), 3,
             HasSubstr("need no --in-compressed"));
  ExpectHolds(Form::kPlain, 3);
}

TEST_F(LibraryFormsTest, OpaqueKeysAreMovedWithoutAFlag) {
  Write(Form::kOpaque, 3);
  const std::string stored = Digest({});
  const std::string opened = Digest({ring_, kek_, "--opaque-keys"});
  EXPECT_NE(opened, stored);
  const ProgramResult grown = Run({"-i", Folders(3), "-o", Folders(4)});
  EXPECT_EQ(grown.exit_code, 0) << grown.err;
  ExpectHolds(Form::kOpaque, 4);
  EXPECT_EQ(Digest({}, 4), stored);
  EXPECT_EQ(Digest({ring_, kek_, "--opaque-keys"}, 4), opened);
}

TEST_F(LibraryFormsTest, OpaqueKeysUnderANewKeyOfTheRing) {
  Write(Form::kOpaque, 3);
  const std::string digest = Digest({in_ring_, kek_, "--opaque-keys"});
  const uint32_t old = rings_.File("ring")->ring()->primary_id();
  rings_.Rotate();
  ExpectDone(Change({in_ring_, ring_, kek_, "--opaque-keys"}), entries_.size());
  ExpectDone(Change({in_ring_, ring_, kek_, "--opaque-keys"}), 0);
  EXPECT_EQ(Digest({in_ring_, kek_, "--opaque-keys"}), digest);
  ASSERT_OK(rings_.File("ring")->Disable(old));
  ExpectHolds(Form::kOpaque, 3);
}

TEST_F(LibraryFormsTest, OpaqueKeysAreNotTurnedOnOrOff) {
  Write(Form::kOpaque, 3);
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{
           {"--opaque-keys", in_ring_, kek_},
           {"--opaque-keys", ring_, kek_},
           {"--opaque-keys", in_ring_, kek_, "--value-compression=zstd"}}) {
    ExpectExit(Change(flags), 1, HasSubstr("copy it through a program"));
  }
  ExpectExit(Change({"--opaque-keys"}), 1, HasSubstr("no flag is needed"));
  // Not as what they are.
  ExpectExit(Change({in_ring_, kek_}), 3, HasSubstr("say --opaque-keys"));
  ExpectExit(Change({in_ring_, ring_, kek_}), 3,
             HasSubstr("say --opaque-keys"));
  ExpectExit(Change({ring_, kek_}), 3,
             AllOf(HasSubstr("sealing them twice"), HasSubstr("opaque keys")));
  ExpectExit(Change({ring_, kek_, "--digest"}), 3,
             HasSubstr("say --opaque-keys"));
  ExpectHolds(Form::kOpaque, 3);
}

TEST_F(LibraryFormsTest, KeysInClearThatAreSaidToBeOpaque) {
  Write(Form::kSealed, 3);
  ExpectExit(Change({"--opaque-keys", in_ring_, ring_, kek_}), 3,
             HasSubstr("leave --opaque-keys out"));
  ExpectExit(Change({"--opaque-keys", ring_, kek_, "--digest"}), 3,
             HasSubstr("leave --opaque-keys out"));
  ExpectHolds(Form::kSealed, 3);
}

}  // namespace
}  // namespace shardingdb
