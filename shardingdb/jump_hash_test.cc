// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/jump_hash.h"

#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(JumpHashTest, OneBucket) {
  for (const uint64_t hash : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}}) {
    EXPECT_EQ(JumpHash(hash, 1), 0U);
  }
}

// Values that other implementations publish.
TEST(JumpHashTest, KnownValues) {
  EXPECT_EQ(JumpHash(1, 1), 0U);
  EXPECT_EQ(JumpHash(42, 57), 43U);
  EXPECT_EQ(JumpHash(0xDEAD10CC, 1), 0U);
  EXPECT_EQ(JumpHash(0xDEAD10CC, 666), 361U);
  EXPECT_EQ(JumpHash(256, 1024), 520U);
}

TEST(JumpHashTest, IsBelowTheNumberOfBuckets) {
  std::mt19937_64 random(1);
  for (const uint32_t buckets : {1U, 2U, 3U, 255U, 65535U, 0x7fffffffU}) {
    for (int i = 0; i < 1000; ++i) {
      EXPECT_LT(JumpHash(random(), buckets), buckets);
    }
    EXPECT_LT(JumpHash(0, buckets), buckets);
    EXPECT_LT(JumpHash(~uint64_t{0}, buckets), buckets);
  }
}

TEST(JumpHashTest, AnotherBucketTakesItsShareAndMovesNothingElse) {
  std::mt19937_64 random(2);
  std::vector<uint64_t> hashes(100000);
  for (uint64_t& hash : hashes) hash = random();
  for (const uint32_t buckets : {1U, 2U, 3U, 7U, 60U, 300U}) {
    uint32_t moved = 0;
    for (const uint64_t hash : hashes) {
      const uint32_t before = JumpHash(hash, buckets);
      const uint32_t after = JumpHash(hash, buckets + 1);
      if (before == after) continue;
      ASSERT_EQ(after, buckets);
      ++moved;
    }
    const double expected = static_cast<double>(hashes.size()) / (buckets + 1);
    EXPECT_NEAR(moved, expected, expected * 0.2) << buckets << " buckets";
  }
}

}  // namespace
}  // namespace shardingdb
