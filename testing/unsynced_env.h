// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_UNSYNCED_ENV_H_
#define SHARDINGDB_TESTING_UNSYNCED_ENV_H_

#include "leveldb/env.h"

namespace shardingdb {

// LevelDB's default Env, but that syncing a file only flushes it: tests that do
// not crash need not wait for the disk. Lives for ever.
leveldb::Env* UnsyncedEnv();

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_UNSYNCED_ENV_H_
