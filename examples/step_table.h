// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_EXAMPLES_STEP_TABLE_H_
#define SHARDINGDB_EXAMPLES_STEP_TABLE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace shardingdb {

// How long the same steps took in each of several runs, as a table for people:
// one row a step, in the order in which the steps first ran, one column a run.
class StepTable {
 public:
  explicit StepTable(std::vector<std::string> runs) : runs_(std::move(runs)) {}

  // Runs `work` and notes its time as that of `step` in run number `run`. A
  // step that fails is not noted; its error, with the step in front, is
  // returned.
  absl::Status Time(const std::string& step, size_t run,
                    absl::FunctionRef<absl::Status()> work);

  // Notes a time that was taken elsewhere.
  void Note(const std::string& step, size_t run, double seconds);

  // The table, ending in a newline, with "-" where a run has not done a step
  // and a last row of sums.
  std::string ToString() const;

 private:
  struct Row {
    std::string step;
    std::vector<std::optional<double>> seconds;  // of each run
  };

  const std::vector<std::string> runs_;
  std::vector<Row> rows_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_EXAMPLES_STEP_TABLE_H_
