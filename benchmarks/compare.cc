// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Compares databases: the same work with each of them, as tables in Markdown.

#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
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
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/comparison.h"
#include "benchmarks/comparison_runner.h"
#include "benchmarks/engine.h"
#include "benchmarks/html_report.h"
#include "benchmarks/json_report.h"
#include "benchmarks/machine.h"
#include "benchmarks/report_file.h"
#include "benchmarks/value_maker.h"
#include "benchmarks/workload.h"
#include "benchmarks/workload_options.h"
#include "examples/work_folder.h"
#include "flags/asks_for_help.h"
#include "flags/flag_error.h"

using Words = std::vector<std::string>;

ABSL_FLAG(Words, engines,
          Words({"leveldb", "leveldb-tuned", "shardingdb",
                 "shardingdb:6:sealed"}),
          "what to measure; the first is what the others are compared with");
ABSL_FLAG(Words, sharding_counts, Words({"3", "6"}),
          "numbers of shards that \"shardingdb\" without a number stands for");
ABSL_FLAG(Words, workloads, Words({"paper"}), "what to do");
ABSL_FLAG(Words, value_bytes, Words(),
          "sizes of values; by default those that each workload is known with");
ABSL_FLAG(Words, values, Words({"zeropad"}), "zeropad, random");
ABSL_FLAG(Words, threads, Words({"100"}),
          "numbers of threads; they share the groups out");
ABSL_FLAG(int, groups, 100, "how many groups the work has");
ABSL_FLAG(int, loops, 100, "how many batches each group writes");
ABSL_FLAG(int, batch, 100, "how many entries a batch has");
ABSL_FLAG(int, repeat, 3, "how often to run everything");
ABSL_FLAG(int, time_every, 31, "time each so many-th short call; 0: no call");
ABSL_FLAG(bool, quick, false, "a tenth of the loops, and only once");
ABSL_FLAG(bool, details, true,
          "print spread, rates, latencies, CPU time, memory and disk");
ABSL_FLAG(std::string, json, "", "a file for one JSON object a line");
ABSL_FLAG(std::string, html, "", "a file for a page with tables and charts");
ABSL_FLAG(std::string, dir, "",
          "where to make the databases: a new or empty folder; by default a "
          "temporary one");

namespace shardingdb {
namespace {

constexpr char kUsage[] =
    R"(Compares databases: batches of puts, gets of what is there and of what is
not, deletes, prefix scans; or what others measure. Prints tables in Markdown.

  bazel run //benchmarks:compare -- [--quick] [--engines=NAMES] [FLAGS]

  --engines=NAMES    what to measure, with commas between; the first is what the
                     others are compared with:
                       leveldb, leveldb-tuned
                       rocksdb, rocksdb-tuned   where librocksdb-dev was found
                       shardingdb:N             N shards
                       shardingdb:N:compressed  values compressed, not sealed
                       shardingdb:N:sealed      encrypted
                       shardingdb:N:prefix      sharded by the prefix that is
                                                scanned
                       shardingdb:N:logged      with a commit log
                       shardingdb:N:prefix:logged:sealed and the like
                     without ":N" for each of --sharding_counts
                     (leveldb,leveldb-tuned,shardingdb,shardingdb:6:sealed)
  --sharding_counts=NS  numbers of shards (3,6)
  --workloads=NAMES  what to do (paper):
                       paper  the five phases above
                       ycsb-load, ycsb-a to ycsb-f
                       fillseq, fillrandom, fillsync, overwrite, readrandom,
                       readmissing, readseq, readreverse, seekrandom,
                       deleterandom, readwhilewriting, as db_bench has them
  --value_bytes=NS   sizes of values (paper: 100,1024; ycsb: 1024; others: 100)
  --values=KINDS     zeropad: a few characters and zeros; random: bytes that do
                     not compress, the same in each run (zeropad)
  --threads=NS       numbers of threads; they share the groups out (100)
  --groups=N         how many groups the work has (100)
  --loops=N          how many batches each group writes (100)
  --batch=N          how many entries a batch has (100)
  --repeat=N         how often to run everything (3)
  --quick            a tenth of the loops, and only once
  --time_every=N     take the latency of each N-th get, delete and the like, and
                     of all batches and scans; 0: of nothing (31)
  --nodetails        no spread, rates, latencies, CPU time, memory and disk
  --json=FILE        write the results there too, one JSON object a line; what
                     was there is replaced at the end
  --html=FILE        write a page with tables and charts there
  --dir=DIR          where to make the databases: a new or empty folder, which
                     stays; without it a temporary one, which is removed

Exit codes: 0 done, 1 an error, with its reason on stderr.
)";

absl::StatusOr<std::vector<int>> Numbers(const char* flag, const Words& texts) {
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

// Appends what the flags ask for, with `options` for what they leave open.
absl::Status AppendWorkload(WorkloadOptions options,
                            std::vector<WorkloadOptions>* workloads) {
  options.groups = absl::GetFlag(FLAGS_groups);
  options.loops = absl::GetFlag(FLAGS_loops);
  if (absl::GetFlag(FLAGS_quick)) options.loops = (options.loops + 9) / 10;
  options.batch = absl::GetFlag(FLAGS_batch);
  options.time_every = absl::GetFlag(FLAGS_time_every);
  workloads->push_back(options);
  return CheckOptions(options);
}

// Those of the flag, or else those that `work` is usually measured with.
absl::StatusOr<std::vector<int>> ValueBytes(const std::string& work) {
  const Words texts = absl::GetFlag(FLAGS_value_bytes);
  if (texts.empty()) return DefaultValueBytes(work);
  return Numbers("value_bytes", texts);
}

absl::StatusOr<std::vector<WorkloadOptions>> Workloads() {
  const absl::StatusOr<std::vector<int>> threads =
      Numbers("threads", absl::GetFlag(FLAGS_threads));
  if (!threads.ok()) return threads.status();
  std::vector<WorkloadOptions> workloads;
  for (const std::string& work : absl::GetFlag(FLAGS_workloads)) {
    absl::Status status = CheckWork(work);
    if (!status.ok()) return status;
    const absl::StatusOr<std::vector<int>> sizes = ValueBytes(work);
    if (!sizes.ok()) return sizes.status();
    for (const std::string& kind : absl::GetFlag(FLAGS_values)) {
      const absl::StatusOr<ValueKind> values = ParseValueKind(kind);
      if (!values.ok()) return values.status();
      for (int thread_count : *threads) {
        for (int size : *sizes) {
          WorkloadOptions options;
          options.work = work;
          options.values = *values;
          options.threads = thread_count;
          options.value_bytes = size;
          status = AppendWorkload(options, &workloads);
          if (!status.ok()) return status;
        }
      }
    }
  }
  if (workloads.empty())
    return absl::InvalidArgumentError("--workloads or --values is empty");
  return workloads;
}

absl::StatusOr<std::vector<Engine>> Engines() {
  const absl::StatusOr<std::vector<int>> counts =
      Numbers("sharding_counts", absl::GetFlag(FLAGS_sharding_counts));
  if (!counts.ok()) return counts.status();
  const Words names = absl::GetFlag(FLAGS_engines);
  if (names.empty()) return absl::InvalidArgumentError("--engines is empty");
  return ParseEngines(names, *counts);
}

// Nothing where no file is asked for.
absl::StatusOr<std::optional<ReportFile>> Report(const std::string& path) {
  if (path.empty()) return std::nullopt;
  absl::StatusOr<ReportFile> file = ReportFile::New(path);
  if (!file.ok()) return file.status();
  return std::optional<ReportFile>(*std::move(file));
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
  absl::StatusOr<std::optional<ReportFile>> json =
      Report(absl::GetFlag(FLAGS_json));
  if (!json.ok()) return json.status();
  absl::StatusOr<std::optional<ReportFile>> html =
      Report(absl::GetFlag(FLAGS_html));
  if (!html.ok()) return html.status();
  absl::StatusOr<WorkFolder> folder =
      WorkFolder::Make(absl::GetFlag(FLAGS_dir), "compare");
  if (!folder.ok()) return folder.status();
  options.folder = folder->path();
  options.say = [](absl::string_view line) {
    std::fprintf(stderr, "%s\n", std::string(line).c_str());
  };
  const absl::StatusOr<Comparison> comparison = RunComparison(options);
  if (!comparison.ok()) return comparison.status();

  ReportHead head;
  head.machine = DescribeMachine();
  head.command = command;
  head.date =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  std::printf("Machine: %s\n\nCommand: `%s`\n\n%s", head.machine.c_str(),
              command.c_str(), comparison->ToMarkdown().c_str());
  if (absl::GetFlag(FLAGS_details))
    std::printf("%s", comparison->DetailsToMarkdown().c_str());
  absl::Status status;
  if (json->has_value())
    status.Update((*json)->Commit(ToJsonLines(head, *comparison)));
  if (html->has_value())
    status.Update((*html)->Commit(ToHtml(head, *comparison)));
  return status;
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
      arguments, {"engines", "sharding_counts", "workloads", "value_bytes",
                  "values", "threads", "groups", "loops", "batch", "repeat",
                  "time_every", "quick", "details", "json", "html", "dir"});
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
