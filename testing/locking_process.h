// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_LOCKING_PROCESS_H_
#define SHARDINGDB_TESTING_LOCKING_PROCESS_H_

#include <sys/types.h>

#include <string>

namespace shardingdb {

// Another process that holds the lock of a database, from when this object has
// been made until it goes: a test failure if it cannot.
class LockingProcess {
 public:
  enum class Kind {
    kLevelDb,    // fcntl
    kGoLevelDb,  // flock
  };

  // Makes the file LOCK in `folder` if it is missing.
  explicit LockingProcess(const std::string& folder,
                          Kind kind = Kind::kLevelDb);
  LockingProcess(const LockingProcess&) = delete;
  LockingProcess& operator=(const LockingProcess&) = delete;
  ~LockingProcess();

 private:
  int stop_[2] = {-1, -1};  // a pipe: the process ends when it is closed
  pid_t child_ = -1;
};

// Whether another process could take the lock of the database in `folder` now.
bool AnotherProcessCanLock(
    const std::string& folder,
    LockingProcess::Kind kind = LockingProcess::Kind::kLevelDb);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_LOCKING_PROCESS_H_
