// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_COMPARISON_RUNNER_H_
#define SHARDINGDB_BENCHMARKS_COMPARISON_RUNNER_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchmarks/comparison.h"
#include "benchmarks/engine.h"
#include "benchmarks/workload_options.h"

namespace shardingdb {

struct ComparisonOptions {
  std::vector<Engine> engines;  // the first is what others are compared with
  std::vector<WorkloadOptions> workloads;  // one table each
  int repeats = 3;

  // Where databases are made, one at a time, and removed again.
  std::string folder;

  // Told a line about each run.
  std::function<void(absl::string_view line)> say;
};

// Runs each workload with each engine, and the whole `repeats` times, each time
// beginning with another engine. Every run has a process of its own, a new
// database, and a disk that has nothing left to write of what came before.
//
// Errors name the engine and the workload's phase; nothing is left in the
// folder.
//
// REQUIRES: no other thread is running; the options of each workload are in
// order, its work too
[[nodiscard]] absl::StatusOr<Comparison> RunComparison(
    const ComparisonOptions& options);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_COMPARISON_RUNNER_H_
