// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/stale_values.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "reshard/generated_set.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_func.h"
#include "testing/fault_injection_env.h"
#include "testing/grep.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class StaleValuesTest : public ::testing::Test {
 protected:
  void Open() {
    ShardOptions options;
    options.leveldb.env = &env_;
    options.leveldb.compression = leveldb::kNoCompression;
    options.leveldb.write_buffer_size = 64 << 10;
    auto db = OpenLevelDb(folder_, options);
    ASSERT_OK(db.status());
    db_ = *std::move(db);
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_OK(db_->Put(leveldb::WriteOptions(), key, value));
  }
  void Delete(const std::string& key) {
    ASSERT_OK(db_->Delete(leveldb::WriteOptions(), key));
  }
  // One more table, as deep as LevelDB puts it.
  void Flush() {
    const leveldb::Slice nowhere("");
    db_->CompactRange(&nowhere, &nowhere);
  }
  absl::Status Drop() { return DropStaleValues(&env_, folder_, db_.get()); }
  void ExpectNowhere(const std::string& text) {
    EXPECT_THAT(FilesContaining(folder_, text), IsOkAndHolds(IsEmpty()));
  }

  TempDir dir_;
  const std::string folder_ = dir_.Join("db");
  FaultInjectionEnv env_{leveldb::Env::Default()};
  std::unique_ptr<DbHandle> db_;
};

TEST_F(StaleValuesTest, WhatCompactRangeLeavesIsDropped) {
  Open();
  const std::string overwritten = PlantedMarker(1);
  const std::string deleted = PlantedMarker(2);
  // One table, nothing above it: both versions and the mark stay in it.
  Put("a", overwritten);
  Put("a", "now");
  Put("b", deleted);
  Delete("b");
  Flush();
  db_->CompactRange(nullptr, nullptr);
  ASSERT_THAT(FilesContaining(folder_, overwritten),
              IsOkAndHolds(Not(IsEmpty())));
  ASSERT_THAT(FilesContaining(folder_, deleted), IsOkAndHolds(Not(IsEmpty())));
  ASSERT_OK(Drop());
  ExpectNowhere(overwritten);
  ExpectNowhere(deleted);
  ASSERT_OK_AND_ASSIGN(const StoredValues stored,
                       ReadStoredValues(&env_, folder_));
  EXPECT_EQ(stored.values, 1);
  EXPECT_EQ(stored.deletes, 0);
}

TEST_F(StaleValuesTest, ATableThatHoldsNothingButDeletedKeysGoes) {
  Open();
  const std::string deleted = PlantedMarker(3);
  Put("m1", deleted);
  Put("m2", deleted);
  Delete("m1");
  Delete("m2");
  Flush();
  // Tables on either side of it.
  Put("a", "value");
  Put("b", "value");
  Flush();
  Put("y", "value");
  Put("z", "value");
  Flush();
  ASSERT_OK(Drop());
  ExpectNowhere(deleted);
}

TEST_F(StaleValuesTest, ADatabaseWithManyLevelsKeepsWhatItShowsAndNothingElse) {
  const Entries entries = GenerateEntries(4, 4000);
  WriteSet({folder_}, JumpSharding(), entries);
  Open();
  ASSERT_THAT(FilesContaining(folder_, "overwritten later"),
              IsOkAndHolds(Not(IsEmpty())));
  ASSERT_OK(Drop());
  ExpectNowhere("overwritten later");
  ASSERT_OK_AND_ASSIGN(const StoredValues stored,
                       ReadStoredValues(&env_, folder_));
  EXPECT_EQ(stored.values, entries.size());
  ASSERT_OK(db_->Close());
  EXPECT_TRUE(ReadFolder(folder_) == entries);
}

TEST_F(StaleValuesTest, AnEmptyDatabaseHasNothingToDrop) {
  Open();
  ASSERT_OK(Drop());
  const std::string deleted = PlantedMarker(5);
  Put("key", deleted);
  Delete("key");
  ASSERT_OK(Drop());
  ExpectNowhere(deleted);
}

TEST_F(StaleValuesTest, AFileThatCannotBeRemovedIsNotKeptSecret) {
  Open();
  Put("key", "old");
  Flush();
  Put("key", "new");
  env_.AddFault({{FileOperation::kRemove}, "*.ldb"});
  EXPECT_THAT(Drop(), StatusIs(absl::StatusCode::kUnavailable,
                               HasSubstr(folder_ + ": its tables still hold")));
  env_.RemoveAllFaults();
  EXPECT_OK(Drop());
}

TEST_F(StaleValuesTest, ErrorsOfReadingAndWritingAreReported) {
  Open();
  for (int i = 0; i < 100; ++i) Put(absl::StrCat("key", i), "value");
  Flush();
  const int number = env_.AddFault({{FileOperation::kRead}, "*.ldb"});
  EXPECT_THAT(Drop(), StatusIs(absl::StatusCode::kUnavailable,
                               HasSubstr("injected fault")));
  env_.RemoveFault(number);
  env_.AddFault({{FileOperation::kSync}, "*.ldb"});
  Put("key", "value");
  EXPECT_THAT(Drop(), StatusIs(absl::StatusCode::kUnavailable,
                               HasSubstr("injected fault")));
}

}  // namespace
}  // namespace shardingdb
