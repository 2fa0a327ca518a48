// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_MACHINE_H_
#define SHARDINGDB_BENCHMARKS_MACHINE_H_

#include <string>

namespace shardingdb {

// What this program runs on, in one line: processor, cores, memory, system.
std::string DescribeMachine();

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_MACHINE_H_
