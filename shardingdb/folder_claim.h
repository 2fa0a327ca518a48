// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_FOLDER_CLAIM_H_
#define SHARDINGDB_FOLDER_CLAIM_H_

#include <string>

#include "absl/status/statusor.h"
#include "leveldb/env.h"

namespace shardingdb {

// Keeps this process from opening one folder twice, under whatever name.
//
// LevelDB's lock file keeps other processes out, but within one process it only
// compares names. Worse, a second attempt to take it drops the first lock (all
// locks of a file go when any descriptor of it is closed), and from then on
// another process can open the database as well. So LevelDB must not be asked
// twice.
//
// Movable. The claim ends with the object.
class FolderClaim {
 public:
  // FailedPrecondition if the folder is claimed already. A folder is known by
  // device and inode where the operating system knows the folder that `env`
  // sees, and by `env` and its name elsewhere.
  [[nodiscard]] static absl::StatusOr<FolderClaim> Take(
      leveldb::Env* env, const std::string& folder);

  FolderClaim(FolderClaim&& other) noexcept;
  FolderClaim& operator=(FolderClaim&& other) noexcept;
  ~FolderClaim();

 private:
  explicit FolderClaim(std::string identity);

  void Drop();

  std::string identity_;  // empty: nothing is claimed
};

}  // namespace shardingdb

#endif  // SHARDINGDB_FOLDER_CLAIM_H_
