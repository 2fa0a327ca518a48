// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmark/benchmark.h"

#include <string>

namespace {

void BM_StringCopy(benchmark::State& state) {
  const std::string from(state.range(0), 'x');
  for (auto _ : state) {
    std::string to = from;
    benchmark::DoNotOptimize(to);
  }
}
BENCHMARK(BM_StringCopy)->Arg(8)->Arg(64);

}  // namespace
