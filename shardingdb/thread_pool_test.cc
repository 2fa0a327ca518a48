// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/thread_pool.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "absl/synchronization/barrier.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(ThreadPoolTest, TheDestructorWaitsForEverything) {
  std::atomic<int> done{0};
  {
    ThreadPool pool(3);
    for (int i = 0; i < 1000; ++i) pool.Schedule([&done] { ++done; });
  }
  EXPECT_EQ(done, 1000);
}

TEST(ThreadPoolTest, NothingScheduled) {
  ThreadPool pool(4);
  EXPECT_EQ(pool.size(), 4U);
}

TEST(ThreadPoolTest, ZeroThreadsMeansOne) {
  absl::Notification done;
  ThreadPool pool(0);
  EXPECT_EQ(pool.size(), 1U);
  pool.Schedule([&done] { done.Notify(); });
  done.WaitForNotification();
}

TEST(ThreadPoolTest, OneThreadKeepsTheOrder) {
  std::vector<int> order;
  {
    ThreadPool pool(1);
    for (int i = 0; i < 100; ++i) {
      pool.Schedule([&order, i] { order.push_back(i); });
    }
  }
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST(ThreadPoolTest, AllThreadsWorkAtOnce) {
  constexpr int kThreads = 5;
  auto* const barrier = new absl::Barrier(kThreads);
  ThreadPool pool(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    pool.Schedule([barrier] {
      if (barrier->Block()) delete barrier;
    });
  }
}

TEST(ThreadPoolTest, AScheduledFunctionMaySchedule) {
  std::atomic<int> done{0};
  {
    ThreadPool pool(2);
    for (int i = 0; i < 10; ++i) {
      pool.Schedule([&pool, &done] { pool.Schedule([&done] { ++done; }); });
    }
  }
  EXPECT_EQ(done, 10);
}

TEST(ThreadPoolTest, ScheduleFromManyThreads) {
  std::atomic<int> done{0};
  {
    ThreadPool pool(2);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&pool, &done] {
        for (int i = 0; i < 100; ++i) pool.Schedule([&done] { ++done; });
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(done, 400);
}

TEST(ParallelForTest, CallsEachIndexOnce) {
  for (const size_t count : {0, 1, 2, 7, 1000}) {
    for (const size_t max_threads : {0, 1, 2, 5, 2000}) {
      if (max_threads > 100 && count > 100) continue;
      std::vector<std::atomic<int>> calls(count);
      ParallelFor(count, max_threads, [&calls](size_t i) { ++calls[i]; });
      for (const std::atomic<int>& c : calls) EXPECT_EQ(c, 1);
    }
  }
}

TEST(ParallelForTest, WorksAtOnce) {
  auto* const barrier = new absl::Barrier(4);
  ParallelFor(4, 4, [barrier](size_t) {
    if (barrier->Block()) delete barrier;
  });
}

TEST(ParallelForTest, OneThreadIsTheCaller) {
  const std::thread::id caller = std::this_thread::get_id();
  ParallelFor(10, 1, [caller](size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST(ParallelForTest, ThrowsWhatAnyThreadHasThrown) {
  const std::thread::id caller = std::this_thread::get_id();
  for (const bool by_caller : {true, false}) {
    auto* const barrier = new absl::Barrier(2);
    std::atomic<int> calls{0};
    const auto run = [&] {
      ParallelFor(1000, 2, [&](size_t) {
        // Both threads are at it before one of them throws.
        if (calls++ < 2 && barrier->Block()) delete barrier;
        if ((std::this_thread::get_id() == caller) == by_caller) {
          throw std::runtime_error("boom");
        }
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
  }
}

TEST(ParallelForTest, ThrowsOneExceptionOfMany) {
  const auto run = [] {
    ParallelFor(8, 4, [](size_t) { throw std::runtime_error("boom"); });
  };
  EXPECT_THROW(run(), std::runtime_error);
}

TEST(ParallelForTest, NeverMoreThreadsThanAskedFor) {
  absl::Mutex mutex;
  std::set<std::thread::id> threads;
  ParallelFor(1000, 3, [&mutex, &threads](size_t) {
    absl::MutexLock lock(&mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_LE(threads.size(), 3U);
}

}  // namespace
}  // namespace shardingdb
