// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/workload.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/db_bench_workload.h"
#include "benchmarks/paper_workload.h"
#include "benchmarks/ycsb_workload.h"

namespace shardingdb {

namespace {

bool IsIn(const std::string& work, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), work) != names.end();
}

// One phase, named as the work.
absl::StatusOr<WorkloadResult> OnePhase(absl::StatusOr<PhaseResult> phase) {
  if (!phase.ok()) return phase.status();
  WorkloadResult result;
  result[0] = *phase;
  return result;
}

}  // namespace

const std::vector<std::string>& WorkNames() {
  static const auto* const names = [] {
    auto* const all = new std::vector<std::string>{kPaperWork};
    all->insert(all->end(), YcsbNames().begin(), YcsbNames().end());
    all->insert(all->end(), DbBenchNames().begin(), DbBenchNames().end());
    return all;
  }();
  return *names;
}

absl::Status CheckWork(const std::string& work) {
  if (IsIn(work, WorkNames())) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("\"", work, "\" is no workload: there are ",
                   absl::StrJoin(WorkNames(), ", ")));
}

std::vector<std::string> PhaseNames(const std::string& work) {
  if (work != kPaperWork) return {work};
  return std::vector<std::string>(kPaperPhaseNames.begin(),
                                  kPaperPhaseNames.end());
}

std::vector<int> DefaultValueBytes(const std::string& work) {
  if (work == kPaperWork) return {100, 1024};
  return {IsIn(work, YcsbNames()) ? 1024 : 100};
}

absl::StatusOr<WorkloadResult> RunWorkload(leveldb::DB* db,
                                           const WorkloadOptions& options) {
  if (IsIn(options.work, YcsbNames()))
    return OnePhase(RunYcsbWorkload(db, options));
  if (IsIn(options.work, DbBenchNames()))
    return OnePhase(RunDbBenchWorkload(db, options));
  return RunPaperWorkload(db, options);
}

}  // namespace shardingdb
