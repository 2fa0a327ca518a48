// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/threads.h"

#include <atomic>

#include "absl/synchronization/barrier.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(ThreadsTest, AllRunAtTheSameTime) {
  std::atomic<int> sum{0};
  // Passed by four threads together, or by none.
  auto* barrier = new absl::Barrier(4);
  RunThreads(4, [&](int i) {
    sum += i;
    if (barrier->Block()) delete barrier;
  });
  EXPECT_EQ(sum.load(), 0 + 1 + 2 + 3);
}

TEST(ThreadsTest, TheWatcherSeesTheEnd) {
  std::atomic<int> finished{0};
  int seen = -1;
  RunThreadsWatched(
      3, [&](int) { ++finished; }, [&] { seen = finished.load(); });
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace shardingdb
