// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_COMPARATORS_H_
#define SHARDINGDB_TESTING_COMPARATORS_H_

#include "leveldb/comparator.h"

namespace shardingdb {

// Orders of keys other than LevelDB's own, for tests. They live for ever, and
// call no two different keys equal.

// From the last key in bytewise order to the first.
const leveldb::Comparator* ReverseBytewiseComparator();

// Short keys before long ones, equally long ones bytewise: decimal numbers
// without leading zeros come in the order of their values.
const leveldb::Comparator* NumericComparator();

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_COMPARATORS_H_
