// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_PROCESS_USAGE_H_
#define SHARDINGDB_BENCHMARKS_PROCESS_USAGE_H_

#include <cstdint>

namespace shardingdb {

// What this process, with all its threads, has used since it began.
struct ProcessUsage {
  double cpu_seconds = 0;  // its own and the kernel's for it
  uint64_t peak_rss_bytes = 0;

  // What it made the kernel write to a disk, as /proc/self/io says: nothing
  // where the file system is in memory, and 0 where there is no such file.
  uint64_t written_bytes = 0;

  static ProcessUsage Now();
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_PROCESS_USAGE_H_
