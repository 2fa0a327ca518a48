// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/write_gate.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(WriteGateTest, OpenClosedOpen) {
  WriteGate gate;
  EXPECT_FALSE(gate.closed());
  EXPECT_TRUE(WriteGate::Pass(&gate).ok());
  gate.Close();
  EXPECT_TRUE(gate.closed());
  EXPECT_FALSE(WriteGate::Pass(&gate).ok());
  gate.Close();
  EXPECT_FALSE(WriteGate::Pass(&gate).ok());
  gate.Open();
  EXPECT_TRUE(WriteGate::Pass(&gate).ok());
}

TEST(WriteGateTest, ClosingWaitsForAWriteThatHasPassed) {
  WriteGate gate;
  auto pass = std::make_unique<WriteGate::Pass>(&gate);
  ASSERT_TRUE(pass->ok());
  std::atomic<bool> done{false};
  absl::Notification closed;
  std::thread closer([&gate, &done, &closed] {
    gate.Close();
    EXPECT_TRUE(done);
    closed.Notify();
  });
  // From here on no other write passes, and the first one is still under way.
  while (WriteGate::Pass(&gate).ok()) std::this_thread::yield();
  EXPECT_FALSE(closed.HasBeenNotified());
  done = true;
  pass.reset();
  closed.WaitForNotification();
  closer.join();
}

TEST(WriteGateTest, NoWriteIsUnderWayWhileItIsClosed) {
  WriteGate gate;
  std::atomic<bool> stop{false};
  std::atomic<int> writing{0};
  std::atomic<int> passed{0};
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([&] {
      while (!stop) {
        const WriteGate::Pass pass(&gate);
        if (!pass.ok()) {
          std::this_thread::yield();
          continue;
        }
        ++writing;
        ++passed;
        --writing;
      }
    });
  }
  for (int round = 0; round < 50; ++round) {
    gate.Close();
    EXPECT_EQ(writing, 0);
    const int before = passed;
    std::this_thread::yield();
    EXPECT_EQ(writing, 0);
    EXPECT_EQ(passed, before);
    gate.Open();
    while (passed == before) std::this_thread::yield();
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
}

TEST(WriteGateTest, ManyMayOpenAndClose) {
  WriteGate gate;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&gate] {
      for (int i = 0; i < 200; ++i) {
        gate.Close();
        gate.Open();
        const WriteGate::Pass pass(&gate);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  gate.Open();
  EXPECT_TRUE(WriteGate::Pass(&gate).ok());
}

}  // namespace
}  // namespace shardingdb
