// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What sealing and opening a value costs.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "crypto/key_ring.h"

namespace shardingdb {
namespace {

constexpr char kUserKey[] = "key-00-000-000";

void BM_Seal(benchmark::State& state) {
  const absl::StatusOr<std::shared_ptr<KeyRing>> ring = KeyRing::Generate();
  const std::string value(static_cast<size_t>(state.range(0)), 'v');
  std::string sealed;
  for (auto _ : state) {
    sealed.clear();
    if (!ring.ok() || !(*ring)->Seal(value, kUserKey, &sealed).ok()) {
      state.SkipWithError("a value does not seal");
      break;
    }
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void BM_Open(benchmark::State& state) {
  const absl::StatusOr<std::shared_ptr<KeyRing>> ring = KeyRing::Generate();
  const std::string value(static_cast<size_t>(state.range(0)), 'v');
  std::string sealed;
  std::string opened;
  if (!ring.ok() || !(*ring)->Seal(value, kUserKey, &sealed).ok())
    state.SkipWithError("a value does not seal");
  for (auto _ : state) {
    if (!(*ring)->Open(sealed, kUserKey, &opened).ok()) {
      state.SkipWithError("a value does not open");
      break;
    }
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void Sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("value_bytes");
  for (int size : {0, 100, 1024, 10240}) benchmark->Arg(size);
  benchmark->Threads(1)->Threads(2)->UseRealTime();
}

BENCHMARK(BM_Seal)->Apply(Sizes);
BENCHMARK(BM_Open)->Apply(Sizes);

}  // namespace
}  // namespace shardingdb
