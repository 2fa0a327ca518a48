// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs the example as it stands, on the folders that it names.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/run_program.h"

namespace shardingdb {
namespace {

// Two such tests at the same time, of two checkouts, would meet in /tmp/sdb:
// the second waits. The lock is on a folder that is there anyway.
class FolderLock {
 public:
  FolderLock() : fd_(::open("/tmp", O_RDONLY | O_CLOEXEC)) {
    EXPECT_EQ(::flock(fd_, LOCK_EX), 0);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() { ::close(fd_); }

 private:
  const int fd_;
};

// Removes those of its folders that were not there before.
class NewFolders {
 public:
  explicit NewFolders(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders)
      if (!std::filesystem::exists(folder)) new_.push_back(folder);
  }
  ~NewFolders() {
    for (const std::string& folder : new_) std::filesystem::remove_all(folder);
  }

 private:
  std::vector<std::string> new_;
};

TEST(Builder, PutsAndGetsThroughTheDatabaseThatItBuilds) {
  const FolderLock lock;
  const NewFolders cleaned(
      {"/tmp/sdb/a", "/tmp/sdb/b", "/tmp/sdb/c", "/tmp/sdb"});
  for (int round = 0; round < 2; ++round) {  // makes the folders, finds them
    const ProgramResult result = RunProgram("examples/builder", {});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.LastLine(), "greeting = hello");
    EXPECT_EQ(result.err, "");
  }
}

}  // namespace
}  // namespace shardingdb
