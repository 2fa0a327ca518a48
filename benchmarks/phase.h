// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_PHASE_H_
#define SHARDINGDB_BENCHMARKS_PHASE_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "benchmarks/latency_histogram.h"
#include "leveldb/status.h"

namespace shardingdb {

inline constexpr std::array<double, 8> kQuantiles = {0.5,  0.75,  0.9,    0.95,
                                                     0.99, 0.999, 0.9999, 1};

// How long the single calls took.
struct Latencies {
  uint64_t samples = 0;                               // calls that were timed
  std::array<double, kQuantiles.size()> quantiles{};  // microseconds

  // REQUIRES: `quantile` is one of kQuantiles.
  double At(double quantile) const;
};

// What one part of the work took.
struct PhaseResult {
  uint64_t operations = 0;
  double seconds = 0;
  double cpu_seconds = 0;      // of the whole process, in the background too
  uint64_t written_bytes = 0;  // the same
  Latencies latencies;
};

// One for each phase of a work; the rest is empty.
inline constexpr size_t kMaxPhases = 5;
using WorkloadResult = std::array<PhaseResult, kMaxPhases>;

// Times each so many-th call of one thread, since asking for the time twice
// costs as much as some answers of a database.
//
// A cache line of its own, since threads have theirs side by side.
class alignas(64) LatencyRecorder {
 public:
  // Times no call where `every` is 0.
  explicit LatencyRecorder(int every) : every_(every), left_(every) {}

  template <typename Call>
  auto Time(Call&& call) {
    if (--left_ != 0) return std::forward<Call>(call)();
    left_ = every_;
    const auto start = std::chrono::steady_clock::now();
    auto result = std::forward<Call>(call)();
    histogram_.Record(std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::steady_clock::now() - start)
                          .count());
    return result;
  }

  const LatencyHistogram& histogram() const { return histogram_; }

 private:
  const int64_t every_;
  int64_t left_;
  LatencyHistogram histogram_;
};

// Calls work(t, recorder of t) for each t below `threads`, from a thread each,
// and measures all that but the number of operations. `time_every` is that of
// the recorders. Returns the error of the lowest thread that failed.
[[nodiscard]] absl::StatusOr<PhaseResult> RunPhase(
    int threads, int time_every,
    absl::FunctionRef<leveldb::Status(int t, LatencyRecorder* recorder)> work);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_PHASE_H_
