// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/fork_generation.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

int ExitCodeOf(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

TEST(ForkGenerationTest, StaysWithinAProcess) {
  const uint64_t here = ForkGeneration();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([here] { EXPECT_EQ(ForkGeneration(), here); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ForkGeneration(), here);
}

TEST(ForkGenerationTest, ChangesInAChildAndNotInTheParent) {
  const uint64_t here = ForkGeneration();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const uint64_t there = ForkGeneration();
    _exit(there != here && ForkGeneration() == there ? 0 : 1);
  }
  EXPECT_EQ(ExitCodeOf(child), 0);
  EXPECT_EQ(ForkGeneration(), here);
}

TEST(ForkGenerationTest, ChangesInAGrandchildAgain) {
  const uint64_t here = ForkGeneration();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const uint64_t in_child = ForkGeneration();
    const pid_t grandchild = fork();
    if (grandchild < 0) _exit(2);
    if (grandchild == 0) {
      const uint64_t in_grandchild = ForkGeneration();
      _exit(in_grandchild != in_child && in_grandchild != here ? 0 : 3);
    }
    _exit(ExitCodeOf(grandchild));
  }
  EXPECT_EQ(ExitCodeOf(child), 0);
}

// A child that never asked, whose own child does.
TEST(ForkGenerationTest, ChangesAcrossAChildThatNeverAsked) {
  const uint64_t here = ForkGeneration();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild < 0) _exit(2);
    if (grandchild == 0) _exit(ForkGeneration() != here ? 0 : 3);
    _exit(ExitCodeOf(grandchild));
  }
  EXPECT_EQ(ExitCodeOf(child), 0);
}

// No handler of pthread_atfork() runs here.
TEST(ForkGenerationTest, ChangesInAChildOfTheBareSystemCall) {
  const uint64_t here = ForkGeneration();
  const long child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0);
  ASSERT_GE(child, 0);
  if (child == 0) _exit(ForkGeneration() != here ? 0 : 1);
  EXPECT_EQ(ExitCodeOf(static_cast<pid_t>(child)), 0);
}

}  // namespace
}  // namespace shardingdb::crypto_internal
