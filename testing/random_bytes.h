// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_RANDOM_BYTES_H_
#define SHARDINGDB_TESTING_RANDOM_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace shardingdb {

// `size` bytes that do not compress, the same for the same `seed`.
std::string RandomBytes(uint64_t seed, size_t size);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_RANDOM_BYTES_H_
