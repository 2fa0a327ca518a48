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

// The function as it is published, with a division for each step.
uint32_t PublishedJumpHash(uint64_t key, uint32_t buckets) {
  int64_t bucket = -1;
  int64_t next = 0;
  while (next < buckets) {
    bucket = next;
    key = key * 2862933555777941757ULL + 1;
    next = static_cast<int64_t>(static_cast<double>(bucket + 1) *
                                (static_cast<double>(int64_t{1} << 31) /
                                 static_cast<double>((key >> 33) + 1)));
  }
  return static_cast<uint32_t>(bucket);
}

// A hash whose first step divides by `divisor`.
uint64_t HashThatDividesBy(uint64_t divisor) {
  constexpr uint64_t kMultiplier = 2862933555777941757ULL;
  uint64_t inverse = kMultiplier;  // modulo 2^64, by Newton's method
  for (int i = 0; i < 6; ++i) inverse *= 2 - kMultiplier * inverse;
  return (((divisor - 1) << 33) - 1) * inverse;
}

TEST(JumpHashTest, IsThePublishedFunction) {
  std::mt19937_64 random(3);
  for (const uint32_t buckets :
       {1U, 2U, 3U, 6U, 7U, 64U, 300U, 65535U, 0x10000U, 0x7fffffffU}) {
    for (int i = 0; i < 10000; ++i) {
      const uint64_t hash = random();
      ASSERT_EQ(JumpHash(hash, buckets), PublishedJumpHash(hash, buckets))
          << hash << ", " << buckets << " buckets";
    }
  }
}

// Where the first step reaches just the last bucket, or just not.
TEST(JumpHashTest, IsThePublishedFunctionAtTheLastBucket) {
  for (uint32_t buckets = 1; buckets < 10000; ++buckets) {
    for (uint64_t divisor = (uint64_t{1} << 31) / buckets - 2;
         divisor <= (uint64_t{1} << 31) / buckets + 2; ++divisor) {
      const uint64_t hash = HashThatDividesBy(divisor);
      ASSERT_EQ(JumpHash(hash, buckets), PublishedJumpHash(hash, buckets))
          << hash << ", " << buckets << " buckets";
    }
  }
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
