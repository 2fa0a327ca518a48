// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/jump_hash.h"

#include <cstdint>

namespace shardingdb {

uint32_t JumpHash(uint64_t hash, uint32_t buckets) {
  uint64_t bucket = 0;
  for (;;) {
    hash = hash * 2862933555777941757ULL + 1;
    const uint64_t divisor = (hash >> 33) + 1;
    // The jump leads beyond the last bucket, also where it is rounded: the last
    // step needs no division.
    const uint64_t reach = divisor * buckets;
    if (reach + (reach >> 48) < (bucket + 1) << 31) break;
    // Both operands are exact and division is correctly rounded, so this is the
    // same on every machine with IEEE doubles.
    const auto next = static_cast<uint64_t>(
        static_cast<double>(bucket + 1) *
        (static_cast<double>(int64_t{1} << 31) / static_cast<double>(divisor)));
    if (next >= buckets) break;
    bucket = next;
  }
  return static_cast<uint32_t>(bucket);
}

}  // namespace shardingdb
