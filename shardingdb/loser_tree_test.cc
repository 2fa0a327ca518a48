// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/loser_tree.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

// Sorts numbers by taking the winner away again and again: exactly the order of
// std::stable_sort, for every number of players.
TEST(LoserTreeTest, MergesLikeASort) {
  std::mt19937 random(1);
  for (size_t size = 1; size <= 70; ++size) {
    std::vector<int> value(size);
    std::vector<int> steps(size);
    std::vector<std::pair<int, size_t>> expected;
    for (size_t i = 0; i < size; ++i) {
      value[i] = static_cast<int>(random() % 10);
      steps[i] = static_cast<int>(random() % 5);
      for (int s = 0; s <= steps[i]; ++s)
        expected.emplace_back(value[i] + s, i);
    }
    std::sort(expected.begin(), expected.end());

    constexpr int kEnd = 1000;
    const auto before = [&value](size_t a, size_t b) {
      return value[a] != value[b] ? value[a] < value[b] : a < b;
    };
    LoserTree tree(size);
    tree.Rebuild(before);
    std::vector<std::pair<int, size_t>> merged;
    while (value[tree.winner()] != kEnd) {
      const size_t winner = tree.winner();
      merged.emplace_back(value[winner], winner);
      value[winner] = steps[winner]-- > 0 ? value[winner] + 1 : kEnd;
      tree.Replay(before);
    }
    EXPECT_EQ(merged, expected) << size << " players";
  }
}

TEST(LoserTreeTest, ReplayNeedsOneComparisonALevel) {
  std::vector<int> value(256);
  size_t comparisons = 0;
  const auto before = [&](size_t a, size_t b) {
    ++comparisons;
    return value[a] != value[b] ? value[a] < value[b] : a < b;
  };
  LoserTree tree(value.size());
  tree.Rebuild(before);
  EXPECT_EQ(comparisons, 255U);
  EXPECT_EQ(tree.winner(), 0U);

  comparisons = 0;
  value[0] = 1;
  tree.Replay(before);
  EXPECT_EQ(comparisons, 8U);
  EXPECT_EQ(tree.winner(), 1U);
}

}  // namespace
}  // namespace shardingdb
