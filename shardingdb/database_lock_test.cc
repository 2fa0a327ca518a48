// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/database_lock.h"

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class DatabaseLockTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<DatabaseLock>> Take(leveldb::Env* env) {
    return DatabaseLock::Take(env, dir_.path());
  }

  const TempDir dir_;
  leveldb::Env* const env_ = leveldb::Env::Default();
};

TEST_F(DatabaseLockTest, KeepsOtherProcessesAndThisOneOut) {
  {
    ASSERT_OK_AND_ASSIGN(const auto lock, Take(env_));
    EXPECT_FALSE(AnotherProcessCanLock(dir_.path()));
    EXPECT_THAT(Take(env_), StatusIs(absl::StatusCode::kFailedPrecondition,
                                     HasSubstr("this process")));
    EXPECT_FALSE(AnotherProcessCanLock(dir_.path()));
  }
  EXPECT_TRUE(AnotherProcessCanLock(dir_.path()));
  EXPECT_OK(Take(env_));
}

TEST_F(DatabaseLockTest, IsRefusedWhileAnotherProcessHasIt) {
  {
    const LockingProcess other(dir_.path());
    EXPECT_THAT(Take(env_), StatusIs(absl::StatusCode::kFailedPrecondition,
                                     HasSubstr("another process")));
  }
  EXPECT_OK(Take(env_));  // and nothing has stayed claimed
}

TEST_F(DatabaseLockTest, NeedsTheFolder) {
  EXPECT_THAT(DatabaseLock::Take(env_, dir_.Join("x")),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("x/LOCK")));
}

TEST_F(DatabaseLockTest, AnEnvThatMakesNoFile) {
  const std::unique_ptr<leveldb::Env> memory(leveldb::NewMemEnv(env_));
  ASSERT_OK_AND_ASSIGN(const auto lock, Take(memory.get()));
  EXPECT_THAT(Take(memory.get()),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("LOCK")));
}

}  // namespace
}  // namespace shardingdb
