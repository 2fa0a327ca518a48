// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_STACKS_H_
#define SHARDINGDB_TESTING_STACKS_H_

#include "testing/conformance_suite.h"

namespace shardingdb {

// Each DbHandle of this repository, and stacks of them, for the conformance
// suite. None waits for the disk but those that say so.

// A std::map.
ConformanceParam ModelStack();

// OpenLevelDb.
ConformanceParam LevelDbStack();

// WrapLevelDb of a database that was opened with LevelDB's own options.
ConformanceParam WrappedLevelDbStack();

// `base` `shards` times, side by side under a ShardRouter.
ConformanceParam RoutedStack(int shards, ConformanceParam base);

// `base` with every value sealed.
ConformanceParam SealedStack(ConformanceParam base);

// What ShardingDb::Open makes of so many folders. Waits for the disk.
ConformanceParam OpenedStack(int shards);

// What ShardingDbBuilder makes of so many folders, with encryption and another
// sharding function than the default.
ConformanceParam BuiltStack(int shards);

// What ShardingDbBuilder makes with encryption and a commit log.
ConformanceParam LoggedStack(int shards);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_STACKS_H_
