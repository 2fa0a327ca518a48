// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/latency_histogram.h"

#include <algorithm>
#include <cmath>

namespace shardingdb {

// Buckets are one nanosecond wide below 2 * kSubBuckets, twice as wide up to
// the next power of two, and so on; those of each width are kSubBuckets, but
// for the first.
size_t LatencyHistogram::BucketOf(uint64_t nanoseconds) {
  if (nanoseconds < kSubBuckets) return nanoseconds;
  const int shift = 63 - __builtin_clzll(nanoseconds) - kSubBits;
  return shift * kSubBuckets + (nanoseconds >> shift);
}

uint64_t LatencyHistogram::GreatestIn(size_t bucket) {
  if (bucket < kSubBuckets) return bucket;
  const uint64_t shift = bucket / kSubBuckets - 1;
  return ((bucket % kSubBuckets + kSubBuckets + 1) << shift) - 1;
}

void LatencyHistogram::Record(uint64_t nanoseconds) {
  nanoseconds = std::min(nanoseconds, kMaxNanoseconds);
  ++counts_[BucketOf(nanoseconds)];
  ++count_;
  max_ = std::max(max_, nanoseconds);
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

uint64_t LatencyHistogram::Quantile(double quantile) const {
  const double wanted = std::ceil(quantile * static_cast<double>(count_));
  uint64_t seen = 0;
  for (size_t i = 0; i < kBuckets && seen < count_; ++i) {
    seen += counts_[i];
    if (seen != 0 && static_cast<double>(seen) >= wanted)
      return std::min(GreatestIn(i), max_);
  }
  return max_;
}

}  // namespace shardingdb
