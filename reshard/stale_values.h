// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_STALE_VALUES_H_
#define SHARDINGDB_RESHARD_STALE_VALUES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/db.h"
#include "leveldb/env.h"

namespace shardingdb {

// True for a name that LevelDB gives to its files: a number and `end`.
bool IsNumbered(absl::string_view name, absl::string_view end);
// The same for those of tables.
bool IsTableFile(absl::string_view name);

// What the tables in a folder hold, read file by file.
struct StoredValues {
  uint64_t values = 0;   // those that were overwritten or deleted included
  uint64_t deletes = 0;  // marks of keys that were deleted
};

// Reads every table in `folder`, whether the database knows it or not. NotFound
// if one disappears meanwhile; otherwise errors of reading, with the file.
[[nodiscard]] absl::StatusOr<StoredValues> ReadStoredValues(
    leveldb::Env* env, const std::string& folder);

// Rewrites the tables of `db`, which is in `folder`, until they hold what `db`
// shows and nothing else: no value that was overwritten or deleted is left in
// any file of the database. Durable when it returns OK.
//
// LevelDB's own CompactRange does not promise that: it leaves a table alone
// that nothing lies above, with all the versions of a key that were in one
// memtable, and with deleted keys.
//
// REQUIRES: nobody writes meanwhile, and there are no iterators and snapshots.
//
// Errors: those of writing and reading; Unavailable if values are left after
// several attempts, as where files cannot be removed. With the folder.
[[nodiscard]] absl::Status DropStaleValues(leveldb::Env* env,
                                           const std::string& folder,
                                           leveldb::DB* db);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_STALE_VALUES_H_
