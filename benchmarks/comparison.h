// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_COMPARISON_H_
#define SHARDINGDB_BENCHMARKS_COMPARISON_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "benchmarks/phase.h"
#include "benchmarks/workload_options.h"

namespace shardingdb {

// What one run of the work with one database has shown.
struct RunResult {
  WorkloadResult phases;
  uint64_t peak_rss_bytes = 0;  // of a process that did nothing else
  uint64_t disk_bytes = 0;      // after the last phase and closing
  uint64_t written_bytes = 0;   // opening and closing included
};

// The middle one of some numbers (of an even count, the mean of the two in the
// middle), the least and the greatest.
struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;

  // REQUIRES: `numbers` is not empty.
  static Spread Of(std::vector<double> numbers);
};

// All runs of one engine in one table.
struct ComparisonRow {
  std::string engine;
  std::vector<RunResult> results;  // one a run

  // REQUIRES: there are results
  Spread Of(absl::FunctionRef<double(const RunResult&)> number) const;
  Spread Seconds(size_t phase) const;

  // The median of the runs' quantiles, in microseconds.
  double Latency(size_t phase, double quantile) const;
};

struct ComparisonTable {
  WorkloadOptions options;
  std::vector<ComparisonRow> rows;  // in the order in which engines were added
};

// Results of many runs, and the tables that they make.
class Comparison {
 public:
  // A table has one engine a row. The first engine added to it is what the
  // others are compared with.
  void Add(const std::string& engine, const WorkloadOptions& options,
           const RunResult& result);

  // One for each different options, in the order in which they were added.
  const std::vector<ComparisonTable>& tables() const { return tables_; }

  // For each work, size of values and number of threads a table in Markdown:
  // for each phase the median of the seconds, and how many times as fast as the
  // first engine that is.
  std::string ToMarkdown() const;

  // The same, with least and greatest seconds, latencies, operations and CPU
  // seconds: one line a phase and engine.
  std::string DetailsToMarkdown() const;

 private:
  std::vector<ComparisonTable> tables_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_COMPARISON_H_
