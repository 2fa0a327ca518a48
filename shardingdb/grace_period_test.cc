// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/grace_period.h"

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(GracePeriodTest, DoesNotWaitForNothing) {
  GracePeriod grace_period;
  grace_period.Await();
  { const GracePeriod::Operation operation(&grace_period); }
  grace_period.Await();
}

TEST(GracePeriodTest, WaitsForEveryOperationThatHadBegun) {
  GracePeriod grace_period;
  std::optional<GracePeriod::Operation> first(&grace_period);
  std::atomic<bool> first_over{false};
  std::thread awaiting([&] {
    grace_period.Await();
    EXPECT_TRUE(first_over.load());
  });
  // Operations that begin meanwhile hold up nobody, and are held up by nobody.
  for (int i = 0; i < 1000; ++i) {
    const GracePeriod::Operation operation(&grace_period);
  }
  first_over.store(true);
  first.reset();
  awaiting.join();
}

// An operation that began in the phase before the last.
TEST(GracePeriodTest, WaitsInAnyPhase) {
  GracePeriod grace_period;
  for (int round = 0; round < 5; ++round) {
    std::optional<GracePeriod::Operation> operation(&grace_period);
    std::atomic<bool> over{false};
    absl::Notification begun;
    std::thread awaiting([&] {
      begun.Notify();
      grace_period.Await();
      EXPECT_TRUE(over.load());
    });
    begun.WaitForNotification();
    over.store(true);
    operation.reset();
    awaiting.join();
    // An odd number of phases later.
    if (round % 2 == 0) grace_period.Await();
  }
}

// What an operation reads is of today, or it is waited for: nothing is used
// after it has been taken away.
TEST(GracePeriodTest, WhatIsTakenAwayIsNotInUse) {
  GracePeriod grace_period;
  struct Thing {
    std::atomic<bool> gone{false};
  };
  std::vector<std::unique_ptr<Thing>> things;
  things.push_back(std::make_unique<Thing>());
  std::atomic<Thing*> current{things.back().get()};
  std::atomic<bool> stop{false};
  std::vector<std::thread> users;
  for (int i = 0; i < 4; ++i) {
    users.emplace_back([&] {
      while (!stop.load()) {
        const GracePeriod::Operation operation(&grace_period);
        Thing* const thing = current.load(std::memory_order_acquire);
        for (int look = 0; look < 20; ++look) EXPECT_FALSE(thing->gone.load());
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    Thing* const former = current.load();
    things.push_back(std::make_unique<Thing>());
    current.store(things.back().get(), std::memory_order_release);
    grace_period.Await();
    former->gone.store(true);
  }
  stop.store(true);
  for (std::thread& user : users) user.join();
}

}  // namespace
}  // namespace shardingdb
