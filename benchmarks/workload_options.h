// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_WORKLOAD_OPTIONS_H_
#define SHARDINGDB_BENCHMARKS_WORKLOAD_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/value_maker.h"

namespace shardingdb {

// The work whose measures are the tables of the original shardingdb.
inline constexpr char kPaperWork[] = "paper";

// What every database is asked to do, and how much of it.
struct WorkloadOptions {
  std::string work = kPaperWork;  // see CheckWork
  int groups = 100;               // 1 to kMaxGroups
  int threads = 100;              // 1 to `groups`; they share the groups out
  int loops = 100;                // of each group, 1 to kMaxLoops
  int batch = 100;                // entries, 2 to kMaxBatch
  size_t value_bytes = 100;       // kMinValueBytes to kMaxValueBytes
  ValueKind values = ValueKind::kZeroPadded;

  // Of calls that take about a microsecond, each so many-th is timed; 0 for
  // none. A prime number falls into step with nothing. 0 to kMaxTimeEvery.
  int time_every = 31;

  // Of all groups.
  uint64_t entries() const { return uint64_t{1} * groups * loops * batch; }
};

// So that the numbers keep to their digits.
inline constexpr int kMaxGroups = 100;
inline constexpr int kMaxLoops = 1000;
inline constexpr int kMaxBatch = 1000;
inline constexpr size_t kMaxValueBytes = size_t{1} << 20;
inline constexpr int kMaxTimeEvery = 1000000;

// InvalidArgument, with the limits, unless all numbers are within them.
[[nodiscard]] absl::Status CheckOptions(const WorkloadOptions& options);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_WORKLOAD_OPTIONS_H_
