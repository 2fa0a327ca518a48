// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_OPEN_SHARD_H_
#define SHARDINGDB_OPEN_SHARD_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
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

// A database that is about to be opened: its folder is there, locked, and
// looked into. Nothing in it has changed, but for a file LOCK where there was
// none.
//
// Not thread-safe.
class PreparedShard {
 public:
  // The Env of `options` and `above` must outlive the result, and what it
  // opens. Folders above that are made are `above`'s. Errors are those of
  // OpenLevelDb as far as they show before the database is read.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<PreparedShard>> New(
      const std::string& path, const ShardOptions& options, NewFolders* above);

  PreparedShard(const PreparedShard&) = delete;
  PreparedShard& operator=(const PreparedShard&) = delete;
  ~PreparedShard();

  // Opens the database as Open would, but for reading, so that nothing changes,
  // calls `look`, and closes it. The errors of OpenLevelDb. REQUIRES: there is
  // a database, and Open has not been called.
  [[nodiscard]] absl::Status Look(absl::FunctionRef<void(DbHandle*)> look);

  // Opens it. After an error what New and this have made is gone. Once.
  [[nodiscard]] absl::StatusOr<OpenedShard> Open();

 private:
  struct Parts;

  explicit PreparedShard(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

// OpenLevelDb, for whoever opens several databases or none, except that folders
// above stay when it fails: they are `above`'s then. The Env of `options` and
// `above` must outlive the result.
[[nodiscard]] absl::StatusOr<OpenedShard> OpenShard(const std::string& path,
                                                    const ShardOptions& options,
                                                    NewFolders* above);

}  // namespace shardingdb

#endif  // SHARDINGDB_OPEN_SHARD_H_
