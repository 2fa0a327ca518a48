// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/process_usage.h"

#include <sys/resource.h>

#include <fstream>
#include <string>

#include "absl/time/time.h"

namespace shardingdb {
namespace {

uint64_t WrittenBytes() {
  std::ifstream file("/proc/self/io");
  std::string name;
  for (uint64_t number; file >> name >> number;)
    if (name == "write_bytes:") return number;
  return 0;
}

}  // namespace

ProcessUsage ProcessUsage::Now() {
  struct rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  ProcessUsage now;
  now.cpu_seconds =
      absl::ToDoubleSeconds(absl::DurationFromTimeval(usage.ru_utime) +
                            absl::DurationFromTimeval(usage.ru_stime));
  now.peak_rss_bytes = static_cast<uint64_t>(usage.ru_maxrss) << 10;
  now.written_bytes = WrittenBytes();
  return now;
}

}  // namespace shardingdb
