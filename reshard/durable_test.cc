// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/durable.h"

#include <cstdint>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class SyncToDiskTest : public ::testing::Test {
 protected:
  SyncToDiskTest() {
    leveldb::Options options;
    options.create_if_missing = true;
    options.env = &env_;
    leveldb::DB* db = nullptr;
    EXPECT_OK(leveldb::DB::Open(options, dir_.Join("db"), &db));
    db_.reset(db);
  }

  FaultInjectionEnv env_{leveldb::Env::Default()};
  TempDir dir_;
  std::unique_ptr<leveldb::DB> db_;
};

TEST_F(SyncToDiskTest, MakesTablesOfEverything) {
  ASSERT_OK(db_->Put(leveldb::WriteOptions(), "key", "value"));
  const uint64_t tables = env_.Operations(FileOperation::kSync, "*.ldb");
  ASSERT_OK(SyncToDisk(db_.get()));
  EXPECT_EQ(env_.Operations(FileOperation::kSync, "*.ldb"), tables + 1);
  // And syncs the new log.
  EXPECT_GE(env_.Operations(FileOperation::kSync, "*.log"), 1);
}

TEST_F(SyncToDiskTest, AnEmptyDatabaseIsFine) {
  EXPECT_OK(SyncToDisk(db_.get()));
}

TEST_F(SyncToDiskTest, SaysThatAFlushHasFailed) {
  ASSERT_OK(db_->Put(leveldb::WriteOptions(), "key", "value"));
  env_.AddFault({{FileOperation::kSync}, "*.ldb"});
  EXPECT_THAT(SyncToDisk(db_.get()),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("injected")));
}

TEST_F(SyncToDiskTest, SaysThatAFlushHadFailedBefore) {
  env_.AddFault({{FileOperation::kSync}, "*/MANIFEST-*", 0, /*count=*/1});
  ASSERT_OK(db_->Put(leveldb::WriteOptions(), "key", "value"));
  db_->CompactRange(nullptr, nullptr);  // fails, and has no way to say so
  EXPECT_THAT(SyncToDisk(db_.get()),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("injected")));
}

}  // namespace
}  // namespace shardingdb
