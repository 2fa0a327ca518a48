// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/comparison_runner.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/child_process.h"
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

// Of this process, so far.
uint64_t PeakRssBytes() {
  struct rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
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
  result.peak_rss_bytes = PeakRssBytes();
  result.disk_bytes = BytesBelow(folder);
  return result;
}

std::string Line(const Engine& engine, const WorkloadOptions& workload,
                 const RunResult& result) {
  std::string line = absl::StrFormat("%s, %d B, %d threads:", engine.ToString(),
                                     workload.value_bytes, workload.threads);
  for (size_t i = 0; i < kPhases; ++i) {
    absl::StrAppendFormat(&line, " %s %.2f s", kPhaseNames[i],
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
