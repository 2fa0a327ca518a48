// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/no_threads.h"

#include <system_error>
#include <thread>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

bool CanStartAThread() {
  try {
    std::thread([] {}).join();
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

TEST(NoThreadsTest, HoldsWhileItLives) {
  EXPECT_TRUE(CanStartAThread());
  {
    const NoThreads no_threads;
    EXPECT_FALSE(CanStartAThread());
  }
  EXPECT_TRUE(CanStartAThread());
}

}  // namespace
}  // namespace shardingdb
