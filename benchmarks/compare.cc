// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Compares databases: the same work with each of them, as tables in Markdown.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "benchmarks/comparison.h"
#include "benchmarks/comparison_runner.h"
#include "benchmarks/engine.h"
#include "benchmarks/machine.h"
#include "benchmarks/workload.h"
#include "examples/work_folder.h"
#include "flags/asks_for_help.h"
#include "flags/flag_error.h"

ABSL_FLAG(std::vector<std::string>, engines,
          std::vector<std::string>({"leveldb", "leveldb-tuned", "shardingdb:3",
                                    "shardingdb:6", "shardingdb:6:sealed"}),
          "what to measure: leveldb, leveldb-tuned, shardingdb:N, "
          "shardingdb:N:compressed, shardingdb:N:sealed; the first is what the "
          "others are compared with");
ABSL_FLAG(std::vector<std::string>, value_bytes,
          std::vector<std::string>({"100", "1024"}), "sizes of values");
ABSL_FLAG(std::vector<std::string>, threads, std::vector<std::string>({"100"}),
          "numbers of threads; they share the groups out");
ABSL_FLAG(int, groups, 100, "how many groups the work has");
ABSL_FLAG(int, loops, 100, "how many batches each group writes");
ABSL_FLAG(int, batch, 100, "how many entries a batch has");
ABSL_FLAG(int, repeat, 3, "how often to run everything");
ABSL_FLAG(bool, quick, false, "a tenth of the loops, and only once");
ABSL_FLAG(bool, details, true,
          "print spread, rates, CPU time, memory and disk");
ABSL_FLAG(std::string, dir, "",
          "where to make the databases: a new or empty folder; by default a "
          "temporary one");

namespace shardingdb {
namespace {

constexpr char kUsage[] =
    R"(Compares databases: batches of puts, gets of what is there and of what is
not, deletes, prefix scans. Prints tables in Markdown.

  bazel run //benchmarks:compare -- [--quick] [--engines=NAMES] [FLAGS]

  --engines=NAMES    what to measure, with commas between: leveldb,
                     leveldb-tuned, shardingdb:N, shardingdb:N:sealed; the
                     first is what the others are compared with
  --value_bytes=NS   sizes of values (100,1024)
  --threads=NS       numbers of threads; they share the groups out (100)
  --groups=N         how many groups the work has (100)
  --loops=N          how many batches each group writes (100)
  --batch=N          how many entries a batch has (100)
  --repeat=N         how often to run everything (3)
  --quick            a tenth of the loops, and only once
  --nodetails        no spread, rates, CPU time, memory and disk
  --dir=DIR          where to make the databases: a new or empty folder, which
                     stays; without it a temporary one, which is removed

Exit codes: 0 done, 1 an error, with its reason on stderr.
)";

absl::StatusOr<std::vector<int>> Numbers(
    const char* flag, const std::vector<std::string>& texts) {
  std::vector<int> numbers;
  for (const std::string& text : texts) {
    int number;
    if (!absl::SimpleAtoi(text, &number) || number < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag, ": \"", text, "\" is no positive number"));
    }
    numbers.push_back(number);
  }
  if (numbers.empty())
    return absl::InvalidArgumentError(absl::StrCat("--", flag, " is empty"));
  return numbers;
}

absl::StatusOr<std::vector<WorkloadOptions>> Workloads() {
  absl::StatusOr<std::vector<int>> threads =
      Numbers("threads", absl::GetFlag(FLAGS_threads));
  if (!threads.ok()) return threads.status();
  absl::StatusOr<std::vector<int>> sizes =
      Numbers("value_bytes", absl::GetFlag(FLAGS_value_bytes));
  if (!sizes.ok()) return sizes.status();
  std::vector<WorkloadOptions> workloads;
  for (int thread_count : *threads) {
    for (int size : *sizes) {
      WorkloadOptions workload;
      workload.groups = absl::GetFlag(FLAGS_groups);
      workload.threads = thread_count;
      workload.loops = absl::GetFlag(FLAGS_loops);
      if (absl::GetFlag(FLAGS_quick))
        workload.loops = (workload.loops + 9) / 10;
      workload.batch = absl::GetFlag(FLAGS_batch);
      workload.value_bytes = size;
      absl::Status status = CheckOptions(workload);
      if (!status.ok()) return status;
      workloads.push_back(workload);
    }
  }
  return workloads;
}

absl::StatusOr<std::vector<Engine>> Engines() {
  std::vector<Engine> engines;
  for (const std::string& name : absl::GetFlag(FLAGS_engines)) {
    absl::StatusOr<Engine> engine = ParseEngine(name);
    if (!engine.ok()) return engine.status();
    engines.push_back(*engine);
  }
  if (engines.empty()) return absl::InvalidArgumentError("--engines is empty");
  return engines;
}

absl::Status Compare(const std::string& command) {
  ComparisonOptions options;
  absl::StatusOr<std::vector<Engine>> engines = Engines();
  if (!engines.ok()) return engines.status();
  options.engines = *std::move(engines);
  absl::StatusOr<std::vector<WorkloadOptions>> workloads = Workloads();
  if (!workloads.ok()) return workloads.status();
  options.workloads = *std::move(workloads);
  options.repeats =
      absl::GetFlag(FLAGS_quick) ? 1 : absl::GetFlag(FLAGS_repeat);
  if (options.repeats < 1)
    return absl::InvalidArgumentError("--repeat is at least 1");
  absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_dir), "compare");
  if (!folder.ok()) return folder.status();
  options.folder = folder->path();
  options.say = [](absl::string_view line) {
    std::fprintf(stderr, "%s\n", std::string(line).c_str());
  };
  const absl::StatusOr<Comparison> comparison = RunComparison(options);
  if (!comparison.ok()) return comparison.status();

  std::printf("Machine: %s\n\nCommand: `%s`\n\n%s", DescribeMachine().c_str(),
              command.c_str(), comparison->ToMarkdown().c_str());
  if (absl::GetFlag(FLAGS_details))
    std::printf("%s", comparison->DetailsToMarkdown().c_str());
  return absl::OkStatus();
}

}  // namespace
}  // namespace shardingdb

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (shardingdb::AsksForHelp(arguments)) {
    std::fputs(shardingdb::kUsage, stdout);
    return 0;
  }
  std::string wrong = shardingdb::FlagError(
      arguments, {"engines", "value_bytes", "threads", "groups", "loops",
                  "batch", "repeat", "quick", "details", "dir"});
  if (wrong.empty()) {
    absl::SetProgramUsageMessage(shardingdb::kUsage);
    const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
    if (rest.size() > 1) wrong = absl::StrCat("what is '", rest[1], "'?");
  }
  if (!wrong.empty()) {
    std::fprintf(stderr, "compare: usage error: %s\n%s", wrong.c_str(),
                 shardingdb::kUsage);
    return 1;
  }
  const absl::Status status = shardingdb::Compare(absl::StrCat(
      "bazel run //benchmarks:compare -- ", absl::StrJoin(arguments, " ")));
  if (status.ok()) return 0;
  std::fprintf(stderr, "compare: %s\n", status.ToString().c_str());
  return 1;
}
