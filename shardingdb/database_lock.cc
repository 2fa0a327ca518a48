// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/database_lock.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "leveldb/status.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

absl::Status LockError(const leveldb::Status& status) {
  const absl::Status error = ToAbslStatus(status);
  // Not the database as such: its folder, which somebody has taken away.
  return absl::IsNotFound(error) ? absl::UnavailableError(error.message())
                                 : error;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DatabaseLock>> DatabaseLock::Take(
    leveldb::Env* env, const std::string& folder) {
  absl::StatusOr<FolderClaim> claim = FolderClaim::Take(env, folder);
  if (!claim.ok()) {
    return absl::FailedPreconditionError(
        "locked: this process has the database open already");
  }
  leveldb::FileLock* lock = nullptr;
  const leveldb::Status status =
      env->LockFile(absl::StrCat(folder, "/", kLockFile), &lock);
  if (!status.ok()) return LockError(status);
  return std::unique_ptr<DatabaseLock>(
      new DatabaseLock(env, *std::move(claim), lock));
}

DatabaseLock::~DatabaseLock() { env_->UnlockFile(lock_); }

}  // namespace shardingdb
