// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Takes a database through its life, and one plain LevelDB beside it: three
// encrypted shards are made, filled, read, scanned, reopened, become four, and
// still hold every entry.

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/key_ring.h"
#include "examples/quickstart_steps.h"
#include "examples/step_table.h"
#include "examples/work_folder.h"
#include "flags/asks_for_help.h"
#include "flags/flag_error.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/offline_reshard.h"
#include "reshard/progress.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/status.h"

ABSL_FLAG(uint64_t, entries, 1000000, "how many entries to write");
ABSL_FLAG(int, threads, 16, "how many threads write and read");
ABSL_FLAG(std::string, dir, "", "where to keep the databases");

namespace shardingdb {
namespace {

constexpr char kUsage[] =
    R"(Takes an encrypted database of three shards through its life, and a plain
LevelDB beside it.

  bazel run //examples:quickstart -- [--entries=N] [--threads=N] [--dir=DIR]

  --entries=N  how many entries to write (1000000)
  --threads=N  how many threads write and read (16)
  --dir=DIR    where to keep the databases: a new or empty folder, which stays;
               without it a temporary one, which is removed

The last line on stdout is
  verified N entries

Exit codes: 0 done, 1 an error, with its reason on stderr.
)";

// Set by SIGINT and SIGTERM: the program then ends in order, and removes what
// it has made.
std::atomic<bool> stop_requested{false};

constexpr size_t kSharded = 0;
constexpr size_t kPlain = 1;

struct Step {
  std::string name;
  std::function<absl::Status()> work;
};

absl::Status RunSteps(const std::vector<Step>& steps, size_t run,
                      StepTable* table) {
  for (const Step& step : steps) {
    absl::Status status = table->Time(step.name, run, step.work);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Rows of the table that both runs have.
constexpr char kOpen[] = "open";
constexpr char kWrite[] = "write, in batches of 100";
constexpr char kRead[] = "read every entry";
constexpr char kScan[] = "scan";
constexpr char kSnapshot[] = "overwrite a tenth under a snapshot";
constexpr char kReopen[] = "reopen";
constexpr char kVerify[] = "verify every entry";

// Gets each entry and then meets each once more in a scan: nothing is lost,
// nothing is there twice, and every entry is where Get looks for it.
absl::Status VerifyEveryEntry(leveldb::DB* db, const QuickstartSteps& steps) {
  leveldb::Status status = steps.Read(db, /*overwritten=*/true);
  if (status.ok()) status = steps.Scan(db, /*overwritten=*/true);
  return ToAbslStatus(status);
}

std::vector<std::string> Shards(const WorkFolder& folder, int count) {
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i)
    paths.push_back(folder.Join(absl::StrCat("shard", i)));
  return paths;
}

// What "bazel run //reshard" does.
absl::Status Reshard3To4(const WorkFolder& folder, Progress* progress) {
  ReshardOptions options;
  options.inputs = Shards(folder, 3);
  options.outputs = Shards(folder, 4);
  options.progress = progress;
  options.stop = &stop_requested;
  return Reshard(options).status();
}

absl::Status RunSharded(const WorkFolder& folder, const QuickstartSteps& steps,
                        Progress* progress, StepTable* table) {
  // Gone with this process: to open the database later, keep the key.
  absl::StatusOr<std::shared_ptr<KeyRing>> key_ring = KeyRing::Generate();
  if (!key_ring.ok()) return key_ring.status();

  std::unique_ptr<ShardingDb> db;
  const auto open = [&](int shards) -> absl::Status {
    absl::StatusOr<std::unique_ptr<ShardingDb>> opened =
        ShardingDbBuilder()
            .WithDbPaths(Shards(folder, shards))
            .WithEncryption(*key_ring)
            .Build();
    if (!opened.ok()) return opened.status();
    db = *std::move(opened);
    return absl::OkStatus();
  };
  const auto close = [&] { return ToAbslStatus(db->Close()); };
  const auto reopen = [&](int shards) {
    absl::Status status = close();
    db.reset();
    return status.ok() ? open(shards) : status;
  };

  return RunSteps(
      {
          {kOpen, [&] { return open(3); }},
          {kWrite, [&] { return ToAbslStatus(steps.Write(db.get())); }},
          {kRead, [&] { return ToAbslStatus(steps.Read(db.get(), false)); }},
          {kScan, [&] { return ToAbslStatus(steps.Scan(db.get(), false)); }},
          {kSnapshot, [&] { return ToAbslStatus(steps.Snapshot(db.get())); }},
          {kReopen, [&] { return reopen(3); }},
          {"reshard 3 -> 4",
           [&] {
             absl::Status status = close();
             db.reset();
             return status.ok() ? Reshard3To4(folder, progress) : status;
           }},
          {"open with 4 shards", [&] { return open(4); }},
          {kVerify, [&] { return VerifyEveryEntry(db.get(), steps); }},
          {"close", close},
      },
      kSharded, table);
}

absl::Status RunPlain(const WorkFolder& folder, const QuickstartSteps& steps,
                      StepTable* table) {
  std::unique_ptr<leveldb::DB> db;
  const auto open = [&] {
    db.reset();
    leveldb::Options options;
    options.create_if_missing = true;
    leveldb::DB* opened = nullptr;
    const leveldb::Status status =
        leveldb::DB::Open(options, folder.Join("plain"), &opened);
    db.reset(opened);
    return ToAbslStatus(status);
  };
  return RunSteps(
      {
          {kOpen, open},
          {kWrite, [&] { return ToAbslStatus(steps.Write(db.get())); }},
          {kRead, [&] { return ToAbslStatus(steps.Read(db.get(), false)); }},
          {kScan, [&] { return ToAbslStatus(steps.Scan(db.get(), false)); }},
          {kSnapshot, [&] { return ToAbslStatus(steps.Snapshot(db.get())); }},
          {kReopen, open},
          {kVerify, [&] { return VerifyEveryEntry(db.get(), steps); }},
          {"close",
           [&] {
             db.reset();
             return absl::OkStatus();
           }},
      },
      kPlain, table);
}

absl::Status Quickstart(uint64_t entries, int threads, const std::string& dir) {
  constexpr uint64_t kMaxEntries = 1000000000;
  constexpr int kMaxThreads = 1000;
  if (entries < 1 || entries > kMaxEntries) {
    return absl::InvalidArgumentError(
        absl::StrCat("--entries is 1 to ", kMaxEntries, ", not ", entries));
  }
  if (threads < 1 || threads > kMaxThreads) {
    return absl::InvalidArgumentError(
        absl::StrCat("--threads is 1 to ", kMaxThreads, ", not ", threads));
  }
  absl::StatusOr<WorkFolder> folder = WorkFolder::Make(dir, "quickstart");
  if (!folder.ok()) return folder.status();

  Progress::Options output;
  output.terminal = ::isatty(STDERR_FILENO) == 1;
  output.write = [](absl::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
  };
  Progress progress(output);
  const QuickstartSteps steps(entries, threads, &progress, &stop_requested);
  StepTable table({"3 shards, encrypted", "one plain LevelDB"});

  progress.Say(Progress::Level::kSummary,
               absl::StrCat("three encrypted shards in ", folder->path()));
  absl::Status status = RunSharded(*folder, steps, &progress, &table);
  if (!status.ok()) return status;
  progress.Say(Progress::Level::kSummary, "one plain LevelDB");
  status = RunPlain(*folder, steps, &table);
  if (!status.ok()) return status;

  std::printf(
      "\n%d entries, %d threads (no benchmark: one side compresses and seals "
      "values, the other does neither; see docs/performance.md):\n\n%s\n",
      static_cast<int>(entries), threads, table.ToString().c_str());
  if (!folder->removed_at_end())
    std::printf("kept: %s\n", folder->path().c_str());
  std::printf("verified %d entries\n", static_cast<int>(entries));
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
  std::string wrong =
      shardingdb::FlagError(arguments, {"entries", "threads", "dir"});
  if (wrong.empty()) {
    absl::SetProgramUsageMessage(shardingdb::kUsage);
    const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
    if (rest.size() > 1) wrong = absl::StrCat("what is '", rest[1], "'?");
  }
  if (!wrong.empty()) {
    std::fprintf(stderr, "quickstart: usage error: %s\n%s", wrong.c_str(),
                 shardingdb::kUsage);
    return 1;
  }
  for (int signal : {SIGINT, SIGTERM})
    std::signal(signal, [](int) { shardingdb::stop_requested = true; });
  const absl::Status status = shardingdb::Quickstart(
      absl::GetFlag(FLAGS_entries), absl::GetFlag(FLAGS_threads),
      absl::GetFlag(FLAGS_dir));
  if (status.ok()) return 0;
  std::fprintf(stderr, "quickstart: %s\n", status.ToString().c_str());
  return 1;
}
