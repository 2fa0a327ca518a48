// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/comparison_runner.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/child_process.h"
#include "benchmarks/process_usage.h"
#include "benchmarks/workload.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

namespace fs = std::filesystem;

uint64_t BytesBelow(const std::string& folder) {
  uint64_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) bytes += entry.file_size(error);
  }
  return bytes;
}

absl::StatusOr<RunResult> RunOne(const Engine& engine,
                                 const WorkloadOptions& workload,
                                 const std::string& folder) {
  RunResult result;
  {
    absl::StatusOr<OpenEngine> open = OpenEngine::New(engine, folder);
    if (!open.ok()) return open.status();
    absl::StatusOr<WorkloadResult> phases = RunWorkload(open->db(), workload);
    if (!phases.ok()) return phases.status();
    result.phases = *phases;
  }
  const ProcessUsage usage = ProcessUsage::Now();
  result.peak_rss_bytes = usage.peak_rss_bytes;
  result.written_bytes = usage.written_bytes;
  result.disk_bytes = BytesBelow(folder);
  return result;
}

std::string Line(const Engine& engine, const WorkloadOptions& workload,
                 const RunResult& result) {
  std::string line = absl::StrFormat("%s, %d B, %d threads:", engine.ToString(),
                                     workload.value_bytes, workload.threads);
  const std::vector<std::string> phases = PhaseNames(workload.work);
  for (size_t i = 0; i < phases.size(); ++i) {
    absl::StrAppendFormat(&line, " %s %.2f s", phases[i],
                          result.phases[i].seconds);
  }
  return line;
}

}  // namespace

absl::StatusOr<Comparison> RunComparison(const ComparisonOptions& options) {
  Comparison comparison;
  const size_t count = options.engines.size();
  const std::string folder = absl::StrCat(options.folder, "/database");
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    for (const WorkloadOptions& workload : options.workloads) {
      for (size_t i = 0; i < count; ++i) {
        const Engine& engine = options.engines[(i + repeat) % count];
        ::sync();
        const absl::StatusOr<RunResult> result = RunInChildAs<RunResult>(
            [&] { return RunOne(engine, workload, folder); });
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        if (!result.ok()) return Annotate(result.status(), engine.ToString());
        comparison.Add(engine.ToString(), workload, *result);
        options.say(Line(engine, workload, *result));
      }
    }
  }
  return comparison;
}

}  // namespace shardingdb
