// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_DURABLE_H_
#define SHARDINGDB_RESHARD_DURABLE_H_

#include "leveldb/db.h"
#include "leveldb/status.h"

namespace shardingdb {

// Returns once everything written to `db` before is on stable storage; the
// status of the first write, flush or compaction that failed, if any has.
//
// A write with `sync` is not enough: it syncs the newest log only, while writes
// before it may be in a log that was closed unsynced and whose memtable is
// being flushed. docs/resharding.md has the whole argument.
[[nodiscard]] leveldb::Status SyncToDisk(leveldb::DB* db);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_DURABLE_H_
