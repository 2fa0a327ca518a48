// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_MURMUR3_H_
#define SHARDINGDB_MURMUR3_H_

// MurmurHash3 by Austin Appleby, in the public domain: a fast hash for placing
// keys. Not for anything that an adversary must not be able to predict.
//
// The results are part of the format on disk, the same on every machine.

#include <cstdint>

#include "leveldb/slice.h"

namespace shardingdb {

struct Hash128 {
  uint64_t first;
  uint64_t second;
};

// MurmurHash3_x86_32.
uint32_t Murmur3Hash32(const leveldb::Slice& data, uint32_t seed);

// MurmurHash3_x64_128.
Hash128 Murmur3Hash128(const leveldb::Slice& data, uint32_t seed);

}  // namespace shardingdb

#endif  // SHARDINGDB_MURMUR3_H_
