// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_BULK_READ_H_
#define SHARDINGDB_RESHARD_BULK_READ_H_

#include "leveldb/options.h"

namespace shardingdb {

// How a whole database is read once: with checksums, and without driving
// anything else out of the cache.
inline leveldb::ReadOptions BulkReadOptions() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  return options;
}

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_BULK_READ_H_
