// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FolderLockTest : public ::testing::Test {
 protected:
  TempDir dir_;
};

TEST_F(FolderLockTest, IsHeldByOneAtATime) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<FolderLock> lock,
                       FolderLock::Take(dir_.path()));
  EXPECT_THAT(FolderLock::Take(dir_.path()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(dir_.path()), HasSubstr("locked"))));
  lock.reset();
  EXPECT_OK(FolderLock::Take(dir_.path()));
}

TEST_F(FolderLockTest, ChangesNothing) {
  WriteSet({dir_.Join("a")}, JumpSharding(), GenerateEntries(1, 10));
  const auto before = FilesOf(dir_.Join("a"));
  EXPECT_OK(FolderLock::Take(dir_.Join("a")));
  EXPECT_EQ(FilesOf(dir_.Join("a")), before);
}

TEST_F(FolderLockTest, IsRefusedWhileGoleveldbHasTheDatabase) {
  WriteSet({dir_.Join("a")}, JumpSharding(), GenerateEntries(1, 10));
  // As goleveldb locks.
  const int file = ::open(dir_.Join("a/LOCK").c_str(), O_RDWR);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  EXPECT_THAT(FolderLock::Take(dir_.Join("a")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("has the database open")));
  ::close(file);
  EXPECT_OK(FolderLock::Take(dir_.Join("a")));
}

TEST_F(FolderLockTest, LetsLevelDbIn) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<FolderLock> lock,
                       FolderLock::Take(dir_.path()));
  EXPECT_OK(OpenLevelDb(dir_.path(), ShardOptions()));
}

TEST_F(FolderLockTest, LeavesTheLockOfADatabaseThatThisProcessHasOpen) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                       OpenLevelDb(dir_.path(), ShardOptions()));
  EXPECT_OK(FolderLock::Take(dir_.path()));
  EXPECT_FALSE(AnotherProcessCanLock(dir_.path()));
}

TEST_F(FolderLockTest, NeedsAFolder) {
  EXPECT_THAT(FolderLock::Take(dir_.Join("missing")),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("missing")));
}

}  // namespace
}  // namespace shardingdb
