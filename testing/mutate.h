// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_MUTATE_H_
#define SHARDINGDB_TESTING_MUTATE_H_

#include <cstddef>
#include <random>
#include <string>

namespace shardingdb {

// Up to `max_size` bytes. The same `random` gives the same ones.
std::string RandomText(size_t max_size, std::mt19937* random);

// `text` with one to three small damages: a byte or a bit changed, some left
// out, put in, repeated, written over by others, or the rest cut off. May be
// `text` again.
std::string Mutate(std::string text, std::mt19937* random);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_MUTATE_H_
