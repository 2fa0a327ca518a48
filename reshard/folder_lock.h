// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_FOLDER_LOCK_H_
#define SHARDINGDB_RESHARD_FOLDER_LOCK_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shardingdb/lock_descriptor.h"

namespace shardingdb {

// Keeps other runs of reshard, and goleveldb, out of a folder that is going to
// be written, from before there is a database in it.
//
// It stands beside LevelDB's own lock: that one exists only while the database
// is open, and goleveldb does not see it. Held until destroyed or until the
// process ends in any way.
//
// A LevelDB that this process has open in the folder keeps its lock whatever
// becomes of this one (see LockDescriptor).
class FolderLock {
 public:
  // FailedPrecondition, with the folder, if another process or lock has it;
  // PermissionDenied or Unavailable if it cannot be opened. Writes nothing.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<FolderLock>> Take(
      const std::string& folder);

  // FailedPrecondition, with the folder, if its path leads elsewhere now.
  [[nodiscard]] absl::Status CheckInPlace() const;

  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  FolderLock(std::string path, int folder,
             std::unique_ptr<LockDescriptor> lock_file)
      : path_(std::move(path)),
        folder_(folder),
        lock_file_(std::move(lock_file)) {}

  const std::string path_;
  const int folder_;                                 // a descriptor
  const std::unique_ptr<LockDescriptor> lock_file_;  // null where there is none
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_FOLDER_LOCK_H_
