// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/phase.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "benchmarks/process_usage.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

Latencies LatenciesOf(const LatencyHistogram& histogram) {
  Latencies latencies;
  latencies.samples = histogram.count();
  for (size_t i = 0; i < kQuantiles.size(); ++i) {
    latencies.quantiles[i] =
        static_cast<double>(histogram.Quantile(kQuantiles[i])) / 1000;
  }
  return latencies;
}

}  // namespace

double Latencies::At(double quantile) const {
  return quantiles[std::find(kQuantiles.begin(), kQuantiles.end(), quantile) -
                   kQuantiles.begin()];
}

absl::StatusOr<PhaseResult> RunPhase(
    int threads, int time_every,
    absl::FunctionRef<leveldb::Status(int t, LatencyRecorder* recorder)> work) {
  std::vector<leveldb::Status> results(threads);
  std::vector<LatencyRecorder> recorders(threads, LatencyRecorder(time_every));
  std::vector<std::thread> running;
  running.reserve(threads);

  const ProcessUsage before = ProcessUsage::Now();
  const auto start = std::chrono::steady_clock::now();
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] { results[t] = work(t, &recorders[t]); });
  for (std::thread& thread : running) thread.join();
  const auto end = std::chrono::steady_clock::now();
  const ProcessUsage after = ProcessUsage::Now();

  for (const leveldb::Status& result : results)
    if (!result.ok()) return ToAbslStatus(result);
  LatencyHistogram all;
  for (const LatencyRecorder& recorder : recorders)
    all.Merge(recorder.histogram());
  PhaseResult result;
  result.seconds = std::chrono::duration<double>(end - start).count();
  result.cpu_seconds = after.cpu_seconds - before.cpu_seconds;
  result.written_bytes = after.written_bytes - before.written_bytes;
  result.latencies = LatenciesOf(all);
  return result;
}

}  // namespace shardingdb
