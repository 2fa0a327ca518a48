// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/workload.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/paper_workload.h"

namespace shardingdb {

const std::vector<std::string>& WorkNames() {
  static const auto* const names = new std::vector<std::string>{kPaperWork};
  return *names;
}

absl::Status CheckWork(const std::string& work) {
  const std::vector<std::string>& names = WorkNames();
  if (std::find(names.begin(), names.end(), work) != names.end())
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", work, "\" is no workload: there are ", absl::StrJoin(names, ", ")));
}

const std::vector<std::string>& PhaseNames(const std::string&) {
  static const auto* const names = new std::vector<std::string>(
      kPaperPhaseNames.begin(), kPaperPhaseNames.end());
  return *names;
}

absl::StatusOr<WorkloadResult> RunWorkload(leveldb::DB* db,
                                           const WorkloadOptions& options) {
  return RunPaperWorkload(db, options);
}

}  // namespace shardingdb
