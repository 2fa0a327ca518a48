// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_LATENCY_HISTOGRAM_H_
#define SHARDINGDB_BENCHMARKS_LATENCY_HISTOGRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shardingdb {

// Counts latencies in buckets that are never wider than a 64th of what they
// hold, so that any quantile is known to 1.6 % whatever its size. The layout is
// HdrHistogram's (Gil Tene, hdrhistogram.org): every power of two is divided
// into equally wide buckets.
//
// For one thread at a time: each has its own, and they are merged.
class LatencyHistogram {
 public:
  // 18 minutes; what took longer counts as that.
  static constexpr uint64_t kMaxNanoseconds = (uint64_t{1} << 40) - 1;

  LatencyHistogram() : counts_(kBuckets) {}

  void Record(uint64_t nanoseconds);
  void Merge(const LatencyHistogram& other);

  uint64_t count() const { return count_; }

  // The least latency that a part `quantile` of all does not exceed, or up to
  // 1.6 % more; for 1 the greatest exactly. 0 where nothing is recorded.
  //
  // REQUIRES: 0 <= quantile <= 1
  uint64_t Quantile(double quantile) const;

 private:
  static constexpr int kSubBits = 6;
  static constexpr uint64_t kSubBuckets = uint64_t{1} << kSubBits;
  static constexpr size_t kBuckets = (40 - kSubBits + 1) * kSubBuckets;

  static size_t BucketOf(uint64_t nanoseconds);
  static uint64_t GreatestIn(size_t bucket);

  std::vector<uint64_t> counts_;
  uint64_t count_ = 0;
  uint64_t max_ = 0;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_LATENCY_HISTOGRAM_H_
