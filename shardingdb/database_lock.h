// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_DATABASE_LOCK_H_
#define SHARDINGDB_DATABASE_LOCK_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "leveldb/env.h"
#include "shardingdb/folder_claim.h"

namespace shardingdb {

// LevelDB's lock file.
inline constexpr char kLockFile[] = "LOCK";

// The right to a database's folder, of one owner in one process: LevelDB's lock
// keeps other processes out, a FolderClaim keeps this one out.
//
// Whoever opens a database takes it before looking into the folder, and lets it
// go after the last look, so that what was seen still holds. The lock file is
// removed only by an owner, and only together with the folder: whoever waits
// for it would lock a file that others do not see any more.
class DatabaseLock {
 public:
  // Makes the lock file where it is missing. FailedPrecondition if this or
  // another process has it; Unavailable if the folder is not there; other
  // errors of making a file.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<DatabaseLock>> Take(
      leveldb::Env* env, const std::string& folder);

  DatabaseLock(const DatabaseLock&) = delete;
  DatabaseLock& operator=(const DatabaseLock&) = delete;
  ~DatabaseLock();

 private:
  DatabaseLock(leveldb::Env* env, FolderClaim claim, leveldb::FileLock* lock)
      : env_(env), claim_(std::move(claim)), lock_(lock) {}

  leveldb::Env* const env_;
  const FolderClaim claim_;  // outlives the lock
  leveldb::FileLock* const lock_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_DATABASE_LOCK_H_
