// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/rate_limiter.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

// A clock that goes on only while somebody waits.
class RateLimiterTest : public ::testing::Test {
 protected:
  RateLimiter::Options Options(uint64_t bytes_per_second) {
    RateLimiter::Options options;
    options.bytes_per_second = bytes_per_second;
    options.stop = &stop_;
    options.now = [this] { return now_; };
    options.sleep = [this](absl::Duration wait) {
      now_ += wait;
      slept_ += wait;
    };
    return options;
  }

  std::atomic<bool> stop_{false};
  absl::Time now_ = absl::UnixEpoch();
  absl::Duration slept_ = absl::ZeroDuration();
};

TEST_F(RateLimiterTest, WithoutALimitNobodyWaits) {
  RateLimiter limiter(Options(0));
  for (int i = 0; i < 100; ++i) limiter.Take(uint64_t{1} << 40);
  EXPECT_EQ(slept_, absl::ZeroDuration());
}

TEST_F(RateLimiterTest, TheNextWaitsForWhatTheLastHasTaken) {
  RateLimiter limiter(Options(1000));
  limiter.Take(500);
  EXPECT_EQ(slept_, absl::ZeroDuration());
  limiter.Take(2000);
  EXPECT_EQ(slept_, absl::Milliseconds(500));
  limiter.Take(1);
  EXPECT_EQ(slept_, absl::Milliseconds(2500));
}

TEST_F(RateLimiterTest, TimeThatPassedUnusedIsNoCredit) {
  RateLimiter limiter(Options(1000));
  limiter.Take(1000);
  now_ += absl::Hours(1);
  limiter.Take(1000);
  limiter.Take(1000);
  EXPECT_EQ(slept_, absl::Seconds(1));
}

TEST_F(RateLimiterTest, AStopEndsTheWaiting) {
  RateLimiter::Options options = Options(1);
  options.sleep = [this](absl::Duration) { stop_ = true; };
  RateLimiter limiter(options);
  limiter.Take(1000000);
  limiter.Take(1);
  EXPECT_TRUE(stop_);
}

TEST_F(RateLimiterTest, ThreadsShareTheRate) {
  RateLimiter::Options options;
  options.bytes_per_second = 100000;
  RateLimiter limiter(options);
  const absl::Time start = absl::Now();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) limiter.Take(1000);
    });
  }
  for (std::thread& thread : threads) thread.join();
  // The last of 20 begins 19 hundredths of a second after the first.
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(190));
}

}  // namespace
}  // namespace shardingdb
