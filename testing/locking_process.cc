// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/locking_process.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

bool Lock(const char* file_name, int flags, LockingProcess::Kind kind) {
  const int file = ::open(file_name, O_RDWR | flags, 0644);
  if (kind == LockingProcess::Kind::kGoLevelDb)
    return ::flock(file, LOCK_EX | LOCK_NB) == 0;
  struct ::flock range = {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return ::fcntl(file, F_SETLK, &range) == 0;
}

}  // namespace

LockingProcess::LockingProcess(const std::string& folder, Kind kind) {
  const std::string file_name = folder + "/LOCK";
  int ready[2];
  EXPECT_EQ(::pipe(ready), 0);
  EXPECT_EQ(::pipe(stop_), 0);
  child_ = ::fork();
  if (child_ == 0) {
    char byte = Lock(file_name.c_str(), O_CREAT, kind) ? 'y' : 'n';
    ::close(stop_[1]);
    if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
    // Until the other side is closed.
    ::_exit(::read(stop_[0], &byte, 1) == 0 ? 0 : 1);
  }
  char byte = 0;
  EXPECT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y') << file_name << " is locked already";
  ::close(ready[0]);
  ::close(ready[1]);
  ::close(stop_[0]);
}

LockingProcess::~LockingProcess() {
  ::close(stop_[1]);
  int status = -1;
  EXPECT_EQ(::waitpid(child_, &status, 0), child_);
  EXPECT_EQ(status, 0);
}

bool AnotherProcessCanLock(const std::string& folder,
                           LockingProcess::Kind kind) {
  const std::string file_name = folder + "/LOCK";
  const pid_t child = ::fork();
  if (child == 0) ::_exit(Lock(file_name.c_str(), 0, kind) ? 0 : 1);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status == 0;
}

}  // namespace shardingdb
