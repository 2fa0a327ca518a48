// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What it costs to split a batch over shards.

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "leveldb/write_batch.h"
#include "shardingdb/batch_splitter.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

constexpr int kEntries = 100;

void BM_Split(benchmark::State& state) {
  const uint32_t shards = static_cast<uint32_t>(state.range(0));
  const std::string value(static_cast<size_t>(state.range(1)), 'v');
  leveldb::WriteBatch batch;
  for (int i = 0; i < kEntries; ++i) batch.Put(absl::StrCat("key-", i), value);
  const ShardingFuncPtr function = JumpSharding();
  BatchSplitter splitter;
  for (auto _ : state) {
    if (!splitter.Split(batch, *function, shards).ok())
      state.SkipWithError("a batch that does not split");
    benchmark::DoNotOptimize(splitter.parts().data());
  }
  state.SetItemsProcessed(state.iterations() * kEntries);
  state.SetBytesProcessed(state.iterations() *
                          static_cast<int64_t>(batch.ApproximateSize()));
}

BENCHMARK(BM_Split)
    ->ArgNames({"shards", "value_bytes"})
    ->ArgsProduct({{1, 3, 6, 60}, {100, 1024}});

}  // namespace
}  // namespace shardingdb
