// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// OpenLevelDb on a database that somebody has open already.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The names of all files and folders below `folder`, sorted.
std::vector<std::string> Tree(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    names.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class OpenLevelDbLockTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<DbHandle>> Open(const std::string& path) {
    return OpenLevelDb(path, options_);
  }

  // Makes a database with one entry.
  void Make(const std::string& path) {
    auto db = OpenLevelDb(path, ShardOptions());
    ASSERT_THAT(db, IsOk());
    ASSERT_OK((*db)->Put(leveldb::WriteOptions(), "a", "1"));
    ASSERT_OK((*db)->Close());
  }

  void ExpectIntact(const std::string& path) {
    auto db = OpenLevelDb(path, ShardOptions());
    ASSERT_THAT(db, IsOk());
    std::string value;
    EXPECT_OK((*db)->Get(leveldb::ReadOptions(), "a", &value));
    EXPECT_EQ(value, "1");
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("db");
  ShardOptions options_;
};

TEST_F(OpenLevelDbLockTest, LockedByAnotherHandle) {
  Make(path_);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db, Open(path_));
  std::filesystem::create_directory_symlink(path_, dir_.Join("link"));
  leveldb::EnvWrapper wrapper(leveldb::Env::Default());
  ShardOptions wrapped;
  wrapped.leveldb.env = &wrapper;
  for (const std::string& name :
       {path_, path_ + "/", dir_.Join("link"), dir_.Join("./db")}) {
    const auto is_locked = StatusIs(absl::StatusCode::kFailedPrecondition,
                                    AllOf(StartsWith(name), HasSubstr("lock")));
    EXPECT_THAT(Open(name), is_locked);
    EXPECT_THAT(OpenLevelDb(name, wrapped), is_locked);
  }
  std::string value;
  EXPECT_OK(db->Get(leveldb::ReadOptions(), "a", &value));
}

TEST_F(OpenLevelDbLockTest, LockedByADatabaseOfTheSameProcess) {
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* opened = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, path_, &opened));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                       WrapLevelDb(std::unique_ptr<leveldb::DB>(opened)));
  for (const std::string& name : {path_, path_ + "/", dir_.Join("./db")}) {
    EXPECT_THAT(Open(name),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(StartsWith(name), HasSubstr("lock"))));
    EXPECT_FALSE(AnotherProcessCanLock(path_));
  }
}

TEST_F(OpenLevelDbLockTest, LevelDbKnowsItByAnyName) {
  const std::string before = std::filesystem::current_path();
  std::filesystem::create_directory_symlink(dir_.path(), dir_.Join("link"));
  std::filesystem::current_path(dir_.path());
  Make(path_);
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db, Open("./db/"));
    const auto is_locked =
        LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("held by process"));
    for (const std::string& name :
         {path_, path_ + "/", dir_.Join("link/db"), dir_.Join("./db"),
          std::string("db"), std::string("./db/")}) {
      EXPECT_THAT(leveldb::DestroyDB(name, leveldb::Options()), is_locked);
      leveldb::DB* second = nullptr;
      EXPECT_THAT(leveldb::DB::Open(leveldb::Options(), name, &second),
                  is_locked);
      EXPECT_FALSE(AnotherProcessCanLock(path_));
    }
  }
  ExpectIntact(path_);
  EXPECT_OK(leveldb::DestroyDB(path_, leveldb::Options()));
  std::filesystem::current_path(before);
}

TEST_F(OpenLevelDbLockTest, LockedByAnotherProcess) {
  Make(path_);
  {
    const LockingProcess other(path_);
    const std::vector<std::string> before = Tree(path_);
    EXPECT_THAT(Open(path_),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(StartsWith(path_), HasSubstr("lock"))));
    EXPECT_EQ(Tree(path_), before);
  }
  ExpectIntact(path_);
}

// LevelDB alone: the second attempt closes a descriptor of LOCK, and with it
// drops the lock that the first one holds.
TEST_F(OpenLevelDbLockTest, ASecondAttemptDoesNotDropTheLock) {
  Make(path_);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db, Open(path_));
  EXPECT_THAT(Open(path_), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_FALSE(AnotherProcessCanLock(path_));
  ASSERT_OK(db->Close());
  EXPECT_TRUE(AnotherProcessCanLock(path_));
}

TEST_F(OpenLevelDbLockTest, ManyAtOnceOnOneFolder) {
  for (int round = 0; round < 20; ++round) {
    const std::string path = dir_.Join(absl::StrCat("db", round));
    std::vector<absl::StatusOr<std::unique_ptr<DbHandle>>> opened(4);
    std::vector<std::thread> threads;
    for (auto& result : opened) {
      threads.emplace_back(
          [&result, &path, this] { result = OpenLevelDb(path, options_); });
    }
    for (std::thread& thread : threads) thread.join();
    int count = 0;
    for (auto& result : opened) {
      if (result.ok()) {
        ++count;
        EXPECT_OK((*result)->Put(leveldb::WriteOptions(), "a", "1"));
      } else {
        EXPECT_THAT(result, StatusIs(absl::StatusCode::kFailedPrecondition));
      }
    }
    EXPECT_EQ(count, 1);
    opened.clear();
    ExpectIntact(path);
  }
}

}  // namespace
}  // namespace shardingdb
