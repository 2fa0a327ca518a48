// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What it costs to find a key's shard.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

void BM_ShardOf(benchmark::State& state, const ShardingFuncPtr& function) {
  const size_t key_bytes = static_cast<size_t>(state.range(0));
  const uint32_t shards = static_cast<uint32_t>(state.range(1));
  std::vector<std::string> keys;
  for (int i = 0; i < 1024; ++i) {
    std::string key = absl::StrCat("key/", i);
    key.resize(key_bytes, '.');
    keys.push_back(key);
  }
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(function->ShardOf(keys[i], shards));
    i = (i + 1) % keys.size();
  }
}

void Arguments(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"key_bytes", "shards"});
  for (int key_bytes : {16, 100})
    for (int shards : {3, 60}) benchmark->Args({key_bytes, shards});
}

BENCHMARK_CAPTURE(BM_ShardOf, jump, JumpSharding())->Apply(Arguments);
BENCHMARK_CAPTURE(BM_ShardOf, murmur, MurmurSharding())->Apply(Arguments);
BENCHMARK_CAPTURE(BM_ShardOf, sha256, Sha256Sharding())->Apply(Arguments);
BENCHMARK_CAPTURE(BM_ShardOf, xor, XorSharding())->Apply(Arguments);
BENCHMARK_CAPTURE(BM_ShardOf, prefix, PrefixSharding('/'))->Apply(Arguments);

}  // namespace
}  // namespace shardingdb
