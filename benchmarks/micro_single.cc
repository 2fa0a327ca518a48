// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Puts and gets one by one from many threads: LevelDB's own queue of writers,
// and the queues in front of the shards.

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"
#include "benchmarks/engine.h"
#include "examples/work_folder.h"
#include "leveldb/options.h"

namespace shardingdb {
namespace {

// A database in a temporary folder, opened by the first thread and used by all.
struct Opened {
  WorkFolder folder;
  OpenEngine engine;
};

absl::StatusOr<std::unique_ptr<Opened>> Open(absl::string_view name) {
  absl::StatusOr<WorkFolder> folder = WorkFolder::Make("", "micro");
  if (!folder.ok()) return folder.status();
  const absl::StatusOr<Engine> engine = ParseEngine(name);
  if (!engine.ok()) return engine.status();
  absl::StatusOr<OpenEngine> open =
      OpenEngine::New(*engine, folder->Join("database"));
  if (!open.ok()) return open.status();
  return std::make_unique<Opened>(Opened{*std::move(folder), *std::move(open)});
}

void BM_SinglePuts(benchmark::State& state, absl::string_view name) {
  static std::unique_ptr<Opened> opened;
  if (state.thread_index() == 0) {
    absl::StatusOr<std::unique_ptr<Opened>> result = Open(name);
    if (result.ok()) opened = *std::move(result);
  }
  const std::string value(100, 'v');
  uint64_t number = 0;
  for (auto _ : state) {  // begins when every thread is here
    if (opened == nullptr) {
      state.SkipWithError("the database does not open");
      break;
    }
    const std::string key =
        absl::StrCat("key-", state.thread_index(), "-", number++);
    if (!opened->engine.db()->Put(leveldb::WriteOptions(), key, value).ok()) {
      state.SkipWithError("a put fails");
      break;
    }
  }
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) opened.reset();
}

// Entries that fit into one memtable.
void BM_SingleGets(benchmark::State& state, absl::string_view name) {
  constexpr uint64_t kEntries = 10000;
  static std::unique_ptr<Opened> opened;
  if (state.thread_index() == 0) {
    absl::StatusOr<std::unique_ptr<Opened>> result = Open(name);
    if (result.ok()) opened = *std::move(result);
    for (uint64_t i = 0; opened != nullptr && i < kEntries; ++i) {
      if (!opened->engine.db()
               ->Put(leveldb::WriteOptions(), absl::StrCat("key-", i),
                     std::string(100, 'v'))
               .ok()) {
        opened.reset();
      }
    }
  }
  uint64_t number = state.thread_index();
  std::string value;
  for (auto _ : state) {  // begins when every thread is here
    if (opened == nullptr) {
      state.SkipWithError("the database does not open");
      break;
    }
    number = (number + 7919) % kEntries;
    if (!opened->engine.db()
             ->Get(leveldb::ReadOptions(), absl::StrCat("key-", number), &value)
             .ok()) {
      state.SkipWithError("an entry is lost");
      break;
    }
  }
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) opened.reset();
}

void Threads(benchmark::internal::Benchmark* benchmark) {
  for (int threads : {1, 2, 8, 100}) benchmark->Threads(threads);
  benchmark->UseRealTime();
}

BENCHMARK_CAPTURE(BM_SinglePuts, leveldb_tuned, "leveldb-tuned")
    ->Apply(Threads);
BENCHMARK_CAPTURE(BM_SinglePuts, shards_1, "shardingdb:1")->Apply(Threads);
BENCHMARK_CAPTURE(BM_SinglePuts, shards_6, "shardingdb:6")->Apply(Threads);
BENCHMARK_CAPTURE(BM_SingleGets, leveldb_tuned, "leveldb-tuned")
    ->Apply(Threads);
BENCHMARK_CAPTURE(BM_SingleGets, shards_1, "shardingdb:1")->Apply(Threads);
BENCHMARK_CAPTURE(BM_SingleGets, shards_6, "shardingdb:6")->Apply(Threads);

}  // namespace
}  // namespace shardingdb
