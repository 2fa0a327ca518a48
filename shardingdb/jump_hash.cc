// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/jump_hash.h"

#include <cstdint>

namespace shardingdb {

uint32_t JumpHash(uint64_t hash, uint32_t buckets) {
  int64_t bucket = 0;
  int64_t next = 0;
  while (next < static_cast<int64_t>(buckets)) {
    bucket = next;
    hash = hash * 2862933555777941757ULL + 1;
    // Both operands are exact and division is correctly rounded, so this is the
    // same on every machine with IEEE doubles.
    next = static_cast<int64_t>(static_cast<double>(bucket + 1) *
                                (static_cast<double>(int64_t{1} << 31) /
                                 static_cast<double>((hash >> 33) + 1)));
  }
  return static_cast<uint32_t>(bucket);
}

}  // namespace shardingdb
