// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_OPEN_SHARD_H_
#define SHARDINGDB_OPEN_SHARD_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "leveldb/env.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/new_folders.h"
#include "shardingdb/shard_folder.h"

namespace shardingdb {

// A database that has just been opened, and the way back: until the folder is
// let go, opening can be undone.
//
//   handle.reset(), folder->RemoveWhatIsNew()
//
// The folder stays locked as long as either is there.
struct OpenedShard {
  // Each member needs those above it.
  std::shared_ptr<leveldb::Env> read_only_env;  // null if it may be written
  std::unique_ptr<ShardFolder> folder;
  std::unique_ptr<DbHandle> handle;
};

// OpenLevelDb, for whoever opens several databases or none, except that folders
// above stay when it fails: they are `above`'s then. The Env of `options` and
// `above` must outlive the result.
[[nodiscard]] absl::StatusOr<OpenedShard> OpenShard(const std::string& path,
                                                    const ShardOptions& options,
                                                    NewFolders* above);

}  // namespace shardingdb

#endif  // SHARDINGDB_OPEN_SHARD_H_
