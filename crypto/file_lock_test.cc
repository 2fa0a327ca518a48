// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/file_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/file_for_test.h"
#include "crypto/replace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/unprivileged.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;

class FileLockTest : public ::testing::Test {
 protected:
  FileLockTest() { PutFile(path_, "file"); }

  // The code with which another process is answered.
  absl::StatusCode TakeElsewhere() {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::_exit(static_cast<int>(FileLock::Take(path_).status().code()));
    }
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return static_cast<absl::StatusCode>(WEXITSTATUS(status));
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("file");
};

TEST_F(FileLockTest, OneAtATime) {
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<FileLock> lock,
                         FileLock::Take(path_));
    EXPECT_EQ(TakeElsewhere(), absl::StatusCode::kAborted);
    EXPECT_THAT(FileLock::Take(path_),
                StatusIs(absl::StatusCode::kAborted,
                         "another process is changing " + path_));
  }
  EXPECT_EQ(TakeElsewhere(), absl::StatusCode::kOk);
  EXPECT_OK(FileLock::Take(path_));
}

TEST_F(FileLockTest, OfTheNewFileOnceItIsReplaced) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<FileLock> old_lock,
                       FileLock::Take(path_));
  ASSERT_OK(ReplaceFile(path_, "new"));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<FileLock> new_lock,
                       FileLock::Take(path_));
  EXPECT_EQ(TakeElsewhere(), absl::StatusCode::kAborted);
}

TEST_F(FileLockTest, WhatCannotBeOpened) {
  EXPECT_THAT(FileLock::Take(dir_.Join("missing")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("missing")));
  PutFile(path_, "file", 0400);
  const Unprivileged unprivileged;
  EXPECT_THAT(FileLock::Take(path_),
              StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr(path_)));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
