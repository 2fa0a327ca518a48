// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sharding_func.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Optional;

ShardingFuncPtr Constant(const std::string& name, uint32_t shard) {
  return CustomSharding(
      name, [shard](const leveldb::Slice&, uint32_t) { return shard; });
}

std::vector<ShardingFuncPtr> GoodSpreaders() {
  return {JumpSharding(), MurmurSharding(), Sha256Sharding(),
          PrefixSharding('/'), PrefixLengthSharding(12)};
}

TEST(ShardingFuncTest, Names) {
  EXPECT_EQ(JumpSharding()->name(), "jump");
  EXPECT_EQ(MurmurSharding()->name(), "murmur");
  EXPECT_EQ(Sha256Sharding()->name(), "sha256");
  EXPECT_EQ(XorSharding()->name(), "xor");
  EXPECT_EQ(PrefixSharding('/')->name(), "prefix:delimiter=2f");
  EXPECT_EQ(PrefixSharding('\xff')->name(), "prefix:delimiter=ff");
  EXPECT_EQ(PrefixLengthSharding(8)->name(), "prefix:length=8");
  EXPECT_EQ(Constant("mine", 0)->name(), "mine");
}

TEST(ShardingFuncTest, OnlyXorIsForOldDataOnly) {
  for (const ShardingFuncPtr& function : GoodSpreaders()) {
    EXPECT_TRUE(function->allowed_for_new_sets()) << function->name();
  }
  EXPECT_TRUE(Constant("mine", 0)->allowed_for_new_sets());
  EXPECT_FALSE(XorSharding()->allowed_for_new_sets());
}

TEST(ShardingFuncTest, OneShardTakesEverything) {
  std::vector<ShardingFuncPtr> functions = GoodSpreaders();
  functions.push_back(XorSharding());
  for (const ShardingFuncPtr& function : functions) {
    for (const std::string& key :
         {std::string(), std::string("a"), std::string("\0", 1),
          std::string(1 << 20, '\xff')}) {
      EXPECT_EQ(function->ShardOf(key, 1), 0U) << function->name();
    }
  }
}

// Part of the format on disk, like the golden values of the Go functions.
TEST(ShardingFuncTest, GoldenShardsOfJump) {
  const std::vector<std::string> keys = {
      "",    std::string(1, '\0'), "\xff", "a", "ab", "abc",
      "key", "hello, world"};
  const auto shards_of = [&keys](uint32_t shard_count) {
    std::vector<uint32_t> shards;
    for (const std::string& key : keys) {
      shards.push_back(JumpSharding()->ShardOf(key, shard_count));
    }
    return shards;
  };
  using Shards = std::vector<uint32_t>;
  EXPECT_EQ(shards_of(2), (Shards{0, 1, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(shards_of(3), (Shards{0, 2, 2, 0, 0, 2, 0, 2}));
  EXPECT_EQ(shards_of(60), (Shards{0, 44, 50, 15, 8, 39, 17, 31}));
  EXPECT_EQ(shards_of(65535),
            (Shards{0, 60924, 53567, 8384, 27165, 39177, 47902, 59847}));
}

// The sum of squared deviations, in units of its standard deviation around its
// mean: a random spread is beyond 5 once in some millions. The keys are fixed.
TEST(ShardingFuncTest, SpreadIsUniformByChiSquare) {
  constexpr int kKeys = 60000;
  for (const ShardingFuncPtr& function : GoodSpreaders()) {
    for (const uint32_t shard_count : {2U, 3U, 6U, 9U, 60U, 300U}) {
      std::vector<int> count(shard_count);
      for (int i = 0; i < kKeys; ++i) {
        const std::string key = absl::StrCat(1000000 + i, "-key-/row");
        ++count[function->ShardOf(key, shard_count)];
      }
      const double expected = static_cast<double>(kKeys) / shard_count;
      double chi_square = 0;
      for (const int c : count) {
        chi_square += (c - expected) * (c - expected) / expected;
      }
      const double freedom = shard_count - 1;
      EXPECT_LT((chi_square - freedom) / std::sqrt(2 * freedom), 5)
          << function->name() << " over " << shard_count;
    }
  }
}

TEST(ShardingFuncTest, AnotherShardOnlyTakesItsShareOfJump) {
  constexpr int kKeys = 30000;
  for (const uint32_t shard_count : {1U, 3U, 9U}) {
    int moved = 0;
    for (int i = 0; i < kKeys; ++i) {
      const std::string key = absl::StrCat("key", i);
      const uint32_t before = JumpSharding()->ShardOf(key, shard_count);
      const uint32_t after = JumpSharding()->ShardOf(key, shard_count + 1);
      if (before == after) continue;
      ASSERT_EQ(after, shard_count);
      ++moved;
    }
    const double expected = static_cast<double>(kKeys) / (shard_count + 1);
    EXPECT_NEAR(moved, expected, 0.05 * expected);
  }
}

TEST(ShardingFuncTest, XorTakesTheLowBitsOfTheNumberOfShards) {
  EXPECT_EQ(XorSharding()->ShardOf("\xf0", 1000), 0xf0U % (1000U & 0xff));
  EXPECT_EQ(XorSharding()->ShardOf("\xf0", 255), 0xf0U);
}

TEST(ShardingFuncTest, XorHasNoAnswerForAMultipleOf256) {
  EXPECT_GE(XorSharding()->ShardOf("a", 256), 256U);
  EXPECT_GE(XorSharding()->ShardOf("a", 65280), 65280U);
}

TEST(ShardingFuncTest, RangesOfOneKeyAndOfOneShardAreKnown) {
  const ShardingFuncPtr jump = JumpSharding();
  const std::string next("a\0", 2);
  EXPECT_THAT(jump->ShardOfRange(leveldb::Range("a", next), 60),
              Optional(jump->ShardOf("a", 60)));
  EXPECT_THAT(jump->ShardOfRange(leveldb::Range("", next.substr(1)), 60),
              Optional(jump->ShardOf("", 60)));
  EXPECT_THAT(jump->ShardOfRange(leveldb::Range("", ""), 1), Optional(0U));
  EXPECT_EQ(jump->ShardOfRange(leveldb::Range("a", "b"), 60), std::nullopt);
  EXPECT_EQ(jump->ShardOfRange(leveldb::Range("a", "aa"), 60), std::nullopt);
  EXPECT_EQ(jump->ShardOfRange(leveldb::Range("a", ""), 60), std::nullopt);
}

TEST(ShardingFuncTest, ACustomFunctionIsCalled) {
  const ShardingFuncPtr function =
      CustomSharding("by-size", [](const leveldb::Slice& key, uint32_t count) {
        return static_cast<uint32_t>(key.size()) % count;
      });
  EXPECT_OK(CheckShardingFunc(function));
  EXPECT_EQ(function->ShardOf("abcd", 3), 1U);
  EXPECT_EQ(function->ShardOf("", 3), 0U);
}

TEST(ShardingFuncTest, ACustomFunctionMayAnswerOutOfRange) {
  EXPECT_EQ(Constant("mine", 7)->ShardOf("a", 3), 7U);
  EXPECT_EQ(CustomSharding("mine", nullptr)->ShardOf("a", 3), 3U);
}

}  // namespace
}  // namespace shardingdb
