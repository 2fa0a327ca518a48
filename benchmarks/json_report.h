// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_JSON_REPORT_H_
#define SHARDINGDB_BENCHMARKS_JSON_REPORT_H_

#include <string>

#include "benchmarks/comparison.h"

namespace shardingdb {

// The version of this repository, as MODULE.bazel has it.
inline constexpr char kVersion[] = "0.1.0";

// Where results come from.
struct ReportHead {
  std::string machine;
  std::string command;
  std::string date;  // with time and zone
  std::string version = kVersion;
};

// One JSON object a line: first `head`, then one for each phase of each work
// with each engine, in the order of the tables. Medians are of the runs. In
// their order:
//
//   engine, workload    such as "shardingdb:3:sealed", "notfound"
//   work                what the phase is a part of: "paper", or the same
//   value_bytes, values, threads, groups, loops, batch, entries WorkloadOptions
//   shards              1 for other databases
//   runs                how often it was measured
//   ops                 operations a run: entries put, keys read, scans
//   seconds, seconds_min, seconds_max   median, least and greatest
//   p50_us, p99_us, p999_us             latency of a call, microseconds
//   latencies_us        the same for more quantiles, an array of pairs
//   latency_samples     calls that were timed, in the first run
//   cpu_seconds, written_bytes          of the process in this phase
//   peak_rss_bytes, disk_bytes, run_written_bytes   RunResult, of all phases
//
// Bytes of `head` that are no UTF-8 become U+FFFD.
std::string ToJsonLines(const ReportHead& head, const Comparison& comparison);

// The same as one array.
std::string ToJsonArray(const ReportHead& head, const Comparison& comparison);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_JSON_REPORT_H_
