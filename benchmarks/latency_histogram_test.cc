// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/latency_histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

// The least number that a part `quantile` of all does not exceed.
uint64_t ExactQuantile(std::vector<uint64_t> numbers, double quantile) {
  std::sort(numbers.begin(), numbers.end());
  const double rank = std::ceil(quantile * static_cast<double>(numbers.size()));
  return numbers[rank < 1 ? 0 : static_cast<size_t>(rank) - 1];
}

void ExpectQuantiles(const LatencyHistogram& histogram,
                     const std::vector<uint64_t>& numbers) {
  EXPECT_EQ(histogram.count(), numbers.size());
  for (double quantile : {0.0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999}) {
    const uint64_t exact = ExactQuantile(numbers, quantile);
    EXPECT_GE(histogram.Quantile(quantile), exact) << quantile;
    EXPECT_LE(histogram.Quantile(quantile), exact + exact / 64) << quantile;
  }
  EXPECT_EQ(histogram.Quantile(1),
            *std::max_element(numbers.begin(), numbers.end()));
}

TEST(LatencyHistogram, IsEmptyAtFirst) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.Quantile(0), 0u);
  EXPECT_EQ(histogram.Quantile(0.5), 0u);
  EXPECT_EQ(histogram.Quantile(1), 0u);
}

TEST(LatencyHistogram, IsExactForSmallNumbers) {
  LatencyHistogram histogram;
  for (uint64_t i = 0; i < 128; ++i) histogram.Record(i);
  for (uint64_t i = 1; i <= 128; ++i)
    EXPECT_EQ(histogram.Quantile(static_cast<double>(i) / 128), i - 1);
}

TEST(LatencyHistogram, KnowsEverySizeToASixtyFourth) {
  for (int bits = 0; bits < 40; ++bits) {
    const uint64_t power = uint64_t{1} << bits;
    for (const uint64_t number : {power - 1, power, power + power / 3}) {
      LatencyHistogram histogram;
      histogram.Record(number);
      histogram.Record(LatencyHistogram::kMaxNanoseconds);
      EXPECT_GE(histogram.Quantile(0.5), number);
      EXPECT_LE(histogram.Quantile(0.5), number + number / 64);
    }
  }
}

TEST(LatencyHistogram, FindsTheQuantilesOfManyDistributions) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> lognormal(8, 2);
  std::exponential_distribution<double> exponential(1e-6);
  std::uniform_int_distribution<uint64_t> uniform(0, 5000);
  for (int kind = 0; kind < 3; ++kind) {
    LatencyHistogram histogram;
    std::vector<uint64_t> numbers;
    for (int i = 0; i < 20000; ++i) {
      numbers.push_back(kind == 0   ? static_cast<uint64_t>(lognormal(random))
                        : kind == 1 ? static_cast<uint64_t>(exponential(random))
                                    : uniform(random));
      histogram.Record(numbers.back());
    }
    ExpectQuantiles(histogram, numbers);
  }
}

TEST(LatencyHistogram, MergesToWhatOneWouldHaveRecorded) {
  std::mt19937_64 random(8);
  std::vector<uint64_t> numbers;
  LatencyHistogram merged;
  for (int thread = 0; thread < 5; ++thread) {
    LatencyHistogram histogram;
    for (int i = 0; i < 1000; ++i) {
      numbers.push_back(random() >> (24 + 8 * thread));
      histogram.Record(numbers.back());
    }
    merged.Merge(histogram);
  }
  ExpectQuantiles(merged, numbers);
}

TEST(LatencyHistogram, TakesWhatIsTooLongForTheLongest) {
  LatencyHistogram histogram;
  histogram.Record(~uint64_t{0});
  EXPECT_EQ(histogram.Quantile(1), LatencyHistogram::kMaxNanoseconds);
  EXPECT_EQ(histogram.Quantile(0.5), LatencyHistogram::kMaxNanoseconds);
}

}  // namespace
}  // namespace shardingdb
