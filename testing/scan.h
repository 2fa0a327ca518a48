// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_SCAN_H_
#define SHARDINGDB_TESTING_SCAN_H_

#include <string>
#include <utility>
#include <vector>

#include "leveldb/iterator.h"

namespace shardingdb {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// Returns all that `iterator` shows, from its first entry to its last, or the
// other way round. An iterator that ends with an error fails the running test.
KeyValues ScanForward(leveldb::Iterator* iterator);
KeyValues ScanBackward(leveldb::Iterator* iterator);

// ScanForward, after checking that ScanBackward shows the same.
KeyValues ScanBothWays(leveldb::Iterator* iterator);

// The keys alone.
std::vector<std::string> KeysOf(const KeyValues& entries);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_SCAN_H_
