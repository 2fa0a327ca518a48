// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_ZIPFIAN_H_
#define SHARDINGDB_BENCHMARKS_ZIPFIAN_H_

#include <cstdint>

#include "benchmarks/value_maker.h"

namespace shardingdb {

// Numbers without a pattern, the same in each run. For one thread at a time.
class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : state_(Mixed(seed)) {}

  uint64_t Next() { return Mixed(state_++); }

  // REQUIRES: 0 < limit < 2^32
  uint64_t Below(uint64_t limit) { return (Next() >> 32) * limit >> 32; }

  // At least 0 and less than 1.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

// Which of `count` things is asked for, where the one of rank r (from 0) is
// asked for 1 / (r + 1)^theta times as often as the first. By the algorithm of
// Gray, Sundaresan, Englert, Baclawski and Weinberger, "Quickly generating
// billion-record synthetic databases", SIGMOD 1994, which YCSB uses: exact for
// the first two ranks, close for the others.
//
// Making one takes as long as `count` powers. Safe from any thread.
class Zipfian {
 public:
  static constexpr double kTheta = 0.99;  // YCSB's

  // REQUIRES: count >= 2
  explicit Zipfian(uint64_t count);

  // REQUIRES: 0 <= unit < 1
  uint64_t RankOf(double unit) const;

 private:
  const uint64_t count_;
  double zeta_;  // the sum of 1 / i^theta for i from 1 to count
  double eta_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_ZIPFIAN_H_
