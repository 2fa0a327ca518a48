// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/mutate.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(MutateTest, IsTheSameForTheSameRandom) {
  std::mt19937 first(7);
  std::mt19937 second(7);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Mutate("some text", &first), Mutate("some text", &second));
    EXPECT_EQ(RandomText(20, &first), RandomText(20, &second));
  }
}

TEST(MutateTest, MakesManyTexts) {
  std::mt19937 random(7);
  std::set<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.insert(Mutate("some text", &random));
  EXPECT_GT(texts.size(), 500u);
  // Shorter and longer ones as well.
  EXPECT_TRUE(texts.count(""));
  EXPECT_TRUE(texts.count("some textsome text"));
}

TEST(MutateTest, TakesNoText) {
  std::mt19937 random(7);
  bool grew = false;
  for (int i = 0; i < 100; ++i) {
    if (!Mutate("", &random).empty()) grew = true;
  }
  EXPECT_TRUE(grew);
}

TEST(MutateTest, RandomTextsHaveEverySize) {
  std::mt19937 random(7);
  std::set<size_t> sizes;
  for (int i = 0; i < 200; ++i) sizes.insert(RandomText(3, &random).size());
  EXPECT_EQ(sizes, (std::set<size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace shardingdb
