// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/context_cache.h"

#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

XaesPrefix Prefix(int n) {
  XaesPrefix prefix = {};
  // The last bytes, so that comparing only the first would show.
  prefix[10] = static_cast<char>(n >> 8);
  prefix[11] = static_cast<char>(n);
  return prefix;
}

const std::shared_ptr<const int>& Forever() {
  static const auto* alive =
      new std::shared_ptr<const int>(std::make_shared<int>(0));
  return *alive;
}

TEST(ContextCacheTest, FindsWhatWasInserted) {
  ContextCache<int> cache(4);
  EXPECT_EQ(cache.Find(1, Prefix(1)), nullptr);
  int* inserted = cache.Insert(1, Prefix(1), Forever(), 11);
  EXPECT_EQ(*inserted, 11);
  EXPECT_EQ(cache.Find(1, Prefix(1)), inserted);
  EXPECT_EQ(cache.Find(2, Prefix(1)), nullptr);
  EXPECT_EQ(cache.Find(1, Prefix(2)), nullptr);
  cache.Insert(1, Prefix(2), Forever(), 12);
  cache.Insert(2, Prefix(1), Forever(), 21);
  EXPECT_EQ(*cache.Find(1, Prefix(1)), 11);
  EXPECT_EQ(*cache.Find(1, Prefix(2)), 12);
  EXPECT_EQ(*cache.Find(2, Prefix(1)), 21);
  EXPECT_EQ(cache.size(), 3);
}

TEST(ContextCacheTest, TheOneUsedLongestAgoMakesRoom) {
  ContextCache<int> cache(3);
  for (int i = 0; i < 3; ++i) cache.Insert(7, Prefix(i), Forever(), i);
  EXPECT_NE(cache.Find(7, Prefix(0)), nullptr);
  cache.Insert(7, Prefix(3), Forever(), 3);
  EXPECT_EQ(cache.size(), 3);
  EXPECT_EQ(cache.Find(7, Prefix(1)), nullptr);
  EXPECT_EQ(*cache.Find(7, Prefix(0)), 0);
  EXPECT_EQ(*cache.Find(7, Prefix(2)), 2);
  EXPECT_EQ(*cache.Find(7, Prefix(3)), 3);
}

// Counts how many of it exist.
class Counted {
 public:
  explicit Counted(int* count) : count_(count) { ++*count_; }
  Counted(Counted&& other) noexcept : count_(other.count_) { ++*count_; }
  Counted& operator=(Counted&&) = delete;
  ~Counted() { --*count_; }

 private:
  int* count_;
};

TEST(ContextCacheTest, ContextsEndWhenTheyLeave) {
  int count = 0;
  {
    ContextCache<Counted> cache(2);
    for (int i = 0; i < 5; ++i) {
      cache.Insert(1, Prefix(i), Forever(), Counted(&count));
    }
    EXPECT_EQ(count, 2);
  }
  EXPECT_EQ(count, 0);
}

TEST(ContextCacheTest, ContextsOfKeysThatEndedAreDropped) {
  int count = 0;
  ContextCache<Counted> cache(4);
  auto first = std::make_shared<int>(1);
  auto second = std::make_shared<int>(2);
  cache.Insert(1, Prefix(1), first, Counted(&count));
  cache.Insert(2, Prefix(1), second, Counted(&count));
  cache.Insert(1, Prefix(2), first, Counted(&count));
  cache.DropExpired();
  EXPECT_EQ(count, 3);
  first.reset();
  cache.DropExpired();
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cache.size(), 1);
  EXPECT_EQ(cache.Find(1, Prefix(1)), nullptr);
  EXPECT_NE(cache.Find(2, Prefix(1)), nullptr);
  second.reset();
  cache.DropExpired();
  EXPECT_EQ(count, 0);
  cache.Insert(3, Prefix(1), Forever(), Counted(&count));
  EXPECT_NE(cache.Find(3, Prefix(1)), nullptr);
}

TEST(ContextCacheTest, RandomUseAgreesWithAModel) {
  ContextCache<int> cache(8);
  // The model: what is in, by when it was last used.
  std::map<int, int> used;
  std::mt19937 random(20260101);
  for (int step = 1; step <= 20000; ++step) {
    const int n = static_cast<int>(random() % 12);
    int* found = cache.Find(n % 3, Prefix(n));
    ASSERT_EQ(found != nullptr, used.count(n) == 1) << step;
    if (found != nullptr) {
      ASSERT_EQ(*found, n);
    } else {
      cache.Insert(n % 3, Prefix(n), Forever(), n);
      if (used.size() == 8) {
        auto oldest = used.begin();
        for (auto it = used.begin(); it != used.end(); ++it) {
          if (it->second < oldest->second) oldest = it;
        }
        used.erase(oldest);
      }
    }
    used[n] = step;
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
