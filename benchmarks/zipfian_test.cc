// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/zipfian.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(RandomNumbers, FillTheirRange) {
  RandomNumbers numbers(1);
  std::vector<int> counts(10);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    ++counts[numbers.Below(10)];
    const double unit = numbers.Unit();
    EXPECT_GE(unit, 0);
    EXPECT_LT(unit, 1);
    sum += unit;
  }
  for (int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_NEAR(sum / 100000, 0.5, 0.01);
  EXPECT_NE(RandomNumbers(1).Next(), RandomNumbers(2).Next());
  EXPECT_EQ(RandomNumbers(1).Next(), RandomNumbers(1).Next());
}

TEST(Zipfian, AsksForRanksAsOftenAsItSays) {
  constexpr uint64_t kCount = 1000;
  constexpr int kDraws = 1000000;
  const Zipfian zipfian(kCount);
  RandomNumbers numbers(7);
  std::vector<int> counts(kCount);
  for (int i = 0; i < kDraws; ++i) ++counts[zipfian.RankOf(numbers.Unit())];
  double zeta = 0;
  for (uint64_t i = 1; i <= kCount; ++i)
    zeta += std::pow(static_cast<double>(i), -Zipfian::kTheta);
  // The first two, which are exact, and the first tenth.
  double expected = 0, actual = 0;
  for (uint64_t rank = 0; rank < kCount / 10; ++rank) {
    const double share =
        std::pow(static_cast<double>(rank + 1), -Zipfian::kTheta) / zeta;
    if (rank < 2) {
      EXPECT_NEAR(counts[rank], share * kDraws, share * kDraws / 50) << rank;
    }
    expected += share;
    actual += counts[rank];
  }
  EXPECT_GT(expected, 0.6);
  EXPECT_NEAR(actual / kDraws, expected, 0.03);
}

TEST(Zipfian, KeepsToItsRanks) {
  for (uint64_t count : {2, 3, 1000000}) {
    const Zipfian zipfian(count);
    EXPECT_EQ(zipfian.RankOf(0), 0u);
    EXPECT_LT(zipfian.RankOf(std::nextafter(1.0, 0.0)), count);
    for (double unit = 0; unit < 1; unit += 0.001)
      EXPECT_LT(zipfian.RankOf(unit), count);
  }
}

}  // namespace
}  // namespace shardingdb
