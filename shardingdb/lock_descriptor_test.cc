// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/lock_descriptor.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::NotNull;

using Kind = LockingProcess::Kind;

class LockDescriptorTest : public ::testing::Test {
 protected:
  LockDescriptorTest() { std::ofstream file(file_); }

  std::unique_ptr<LockDescriptor> Open() {
    int error = 0;
    std::unique_ptr<LockDescriptor> descriptor =
        LockDescriptor::Open(file_, &error);
    EXPECT_THAT(descriptor, NotNull()) << error;
    return descriptor;
  }

  int DescriptorsOfFile() const {
    int count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code ignored;
      count += std::filesystem::read_symlink(entry.path(), ignored) == file_;
    }
    return count;
  }

  const TempDir dir_;
  const std::string file_ =
      std::filesystem::canonical(dir_.path()).string() + "/LOCK";
  leveldb::Env* const env_ = leveldb::Env::Default();
};

TEST_F(LockDescriptorTest, SharedLocksKeepWritersOut) {
  {
    const auto first = Open();
    const auto second = Open();
    EXPECT_EQ(first->LockShared(), 0);
    EXPECT_EQ(second->LockShared(), 0);
    EXPECT_FALSE(AnotherProcessCanLock(dir_.path(), Kind::kLevelDb));
    EXPECT_FALSE(AnotherProcessCanLock(dir_.path(), Kind::kGoLevelDb));
  }
  EXPECT_TRUE(AnotherProcessCanLock(dir_.path(), Kind::kLevelDb));
  EXPECT_TRUE(AnotherProcessCanLock(dir_.path(), Kind::kGoLevelDb));
  EXPECT_EQ(DescriptorsOfFile(), 0);
}

TEST_F(LockDescriptorTest, AnotherProcessThatWritesKeepsItOut) {
  for (const Kind kind : {Kind::kLevelDb, Kind::kGoLevelDb}) {
    const LockingProcess other(dir_.path(), kind);
    const auto descriptor = Open();
    EXPECT_EQ(descriptor->LockShared(), EAGAIN);
    EXPECT_FALSE(descriptor->IsLockedByThisProcess());
  }
  EXPECT_EQ(DescriptorsOfFile(), 0);
}

TEST_F(LockDescriptorTest, LocksOutGoLevelDbButNotLevelDb) {
  {
    const auto descriptor = Open();
    EXPECT_EQ(descriptor->LockOutGoLevelDb(), 0);
    EXPECT_FALSE(AnotherProcessCanLock(dir_.path(), Kind::kGoLevelDb));
    EXPECT_TRUE(AnotherProcessCanLock(dir_.path(), Kind::kLevelDb));
  }
  EXPECT_TRUE(AnotherProcessCanLock(dir_.path(), Kind::kGoLevelDb));
  const LockingProcess other(dir_.path(), Kind::kGoLevelDb);
  EXPECT_EQ(Open()->LockOutGoLevelDb(), EAGAIN);
}

TEST_F(LockDescriptorTest, TheLockOfThisProcessStays) {
  leveldb::FileLock* lock = nullptr;
  ASSERT_OK(env_->LockFile(file_, &lock));
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Open()->LockShared(), EAGAIN);
    EXPECT_FALSE(AnotherProcessCanLock(dir_.path()));
    EXPECT_EQ(Open()->LockOutGoLevelDb(), 0);
    EXPECT_FALSE(AnotherProcessCanLock(dir_.path()));
    EXPECT_TRUE(Open()->IsLockedByThisProcess());
    EXPECT_FALSE(AnotherProcessCanLock(dir_.path()));
    EXPECT_TRUE(AnotherProcessCanLock(dir_.path(), Kind::kGoLevelDb));
  }
  EXPECT_EQ(DescriptorsOfFile(), 2);  // LevelDB's, and one that is kept
  ASSERT_OK(env_->UnlockFile(lock));
  EXPECT_TRUE(AnotherProcessCanLock(dir_.path()));
  EXPECT_EQ(Open()->LockShared(), 0);
  EXPECT_EQ(DescriptorsOfFile(), 0);
}

// LevelDB may lock the file while this object has it open.
TEST_F(LockDescriptorTest, ALockThatThisProcessTakesLaterStays) {
  leveldb::FileLock* lock = nullptr;
  {
    const auto descriptor = Open();
    EXPECT_EQ(descriptor->LockOutGoLevelDb(), 0);
    ASSERT_OK(env_->LockFile(file_, &lock));
  }
  EXPECT_FALSE(AnotherProcessCanLock(dir_.path()));
  ASSERT_OK(env_->UnlockFile(lock));
}

TEST_F(LockDescriptorTest, AFileThatWasRemovedIsNoLock) {
  const auto removed = Open();
  std::filesystem::remove(file_);
  EXPECT_EQ(removed->LockShared(), EAGAIN);
  EXPECT_EQ(removed->LockOutGoLevelDb(), EAGAIN);
  std::ofstream(file_) << "a new one";
  EXPECT_EQ(removed->LockShared(), EAGAIN);
  EXPECT_EQ(removed->LockOutGoLevelDb(), EAGAIN);
  EXPECT_EQ(Open()->LockShared(), 0);
}

TEST_F(LockDescriptorTest, NeedsTheFile) {
  int error = 0;
  EXPECT_EQ(LockDescriptor::Open(dir_.Join("missing"), &error), nullptr);
  EXPECT_EQ(error, ENOENT);
}

}  // namespace
}  // namespace shardingdb
