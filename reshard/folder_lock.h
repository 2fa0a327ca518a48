// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_FOLDER_LOCK_H_
#define SHARDINGDB_RESHARD_FOLDER_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace shardingdb {

// Keeps other runs of reshard, and goleveldb, out of a folder that is going to
// be written, from before there is a database in it.
//
// It stands beside LevelDB's own lock: that one exists only while the database
// is open, and goleveldb does not see it. Held until destroyed or until the
// process ends in any way.
//
// Must outlive every LevelDB that is opened in the folder: letting go of it
// would let go of LevelDB's lock too (closing a file drops all fcntl locks that
// a process has on it).
class FolderLock {
 public:
  // FailedPrecondition, with the folder, if another process or lock has it;
  // PermissionDenied or Unavailable if it cannot be opened. Writes nothing.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<FolderLock>> Take(
      const std::string& folder);

  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  FolderLock(int folder, int lock_file)
      : folder_(folder), lock_file_(lock_file) {}

  const int folder_;     // descriptors
  const int lock_file_;  // negative where there is no file LOCK
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_FOLDER_LOCK_H_
