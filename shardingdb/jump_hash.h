// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_JUMP_HASH_H_
#define SHARDINGDB_JUMP_HASH_H_

#include <cstdint>

namespace shardingdb {

// Jump consistent hash (Lamping and Veach, arXiv:1406.2294): spreads `hash`
// evenly over 0 to buckets - 1 so that going from N to N + 1 buckets moves
// 1/(N+1) of all hashes, each of them to bucket N.
//
// The results are part of the format on disk, the same on every machine.
// REQUIRES: buckets is 1 to 2^31 - 1.
uint32_t JumpHash(uint64_t hash, uint32_t buckets);

}  // namespace shardingdb

#endif  // SHARDINGDB_JUMP_HASH_H_
