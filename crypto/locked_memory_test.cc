// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/locked_memory.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

bool AllZero(const void* memory, size_t size) {
  const char* bytes = static_cast<const char*>(memory);
  return std::all_of(bytes, bytes + size, [](char c) { return c == 0; });
}

TEST(LockedMemoryTest, EverySizeIsZeroedAndWritable) {
  for (size_t size : {1, 31, 32, 63, 64, 65, 100, 4095, 4096, 4097, 100000}) {
    SCOPED_TRACE(size);
    void* memory = AllocateLocked(size);
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(AllZero(memory, size));
    std::memset(memory, 0xa5, size);
    FreeLocked(memory, size);
  }
}

TEST(LockedMemoryTest, SmallSecretsDoNotOverlap) {
  std::vector<char*> all;
  for (int i = 0; i < 1000; ++i) {
    all.push_back(static_cast<char*>(AllocateLocked(64)));
    std::memset(all.back(), i % 251, 64);
  }
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(all[i][0], static_cast<char>(i % 251));
    EXPECT_EQ(all[i][63], static_cast<char>(i % 251));
    FreeLocked(all[i], 64);
  }
}

TEST(LockedMemoryTest, AFreedSlotIsWipedBeforeItIsUsedAgain) {
  void* first = AllocateLocked(32);
  std::memset(first, 0x5a, 32);
  FreeLocked(first, 32);
  // The slot is still mapped; but for the link of the free list at its front it
  // holds zeros.
  EXPECT_TRUE(
      AllZero(static_cast<char*>(first) + sizeof(void*), 32 - sizeof(void*)));
  void* second = AllocateLocked(32);
  EXPECT_TRUE(AllZero(second, 32));
  FreeLocked(second, 32);
}

TEST(LockedMemoryTest, ThousandsOfKeysTakeFewPages) {
  const size_t before = GetLockedMemoryStats().pages;
  std::vector<void*> keys;
  for (int i = 0; i < 10000; ++i) keys.push_back(AllocateLocked(32));
  const size_t per_page = static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 64;
  EXPECT_LE(GetLockedMemoryStats().pages - before, 10000 / per_page + 1);
  for (void* key : keys) FreeLocked(key, 32);
}

TEST(LockedMemoryTest, ThreadsShareThePool) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 2000; ++i) {
        char* memory = static_cast<char*>(AllocateLocked(48));
        ASSERT_TRUE(AllZero(memory, 48));
        std::memset(memory, t + 1, 48);
        FreeLocked(memory, 48);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// In a child, since a lowered limit cannot be raised again.
TEST(LockedMemoryTest, WhatCannotBeLockedIsUsedAndCounted) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit none = {0, 0};
    if (setrlimit(RLIMIT_MEMLOCK, &none) != 0) _exit(2);
    // Root may lock beyond its limit, unless it gives up its capabilities.
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct no_capabilities[2] = {};
    if (syscall(SYS_capset, &header, no_capabilities) != 0) _exit(3);
    const size_t size = 1 << 20;
    const LockedMemoryStats before = GetLockedMemoryStats();
    char* memory = static_cast<char*>(AllocateLocked(size));
    std::memset(memory, 1, size);
    const LockedMemoryStats after = GetLockedMemoryStats();
    const size_t pages = size / static_cast<size_t>(sysconf(_SC_PAGESIZE));
    FreeLocked(memory, size);
    _exit(after.pages - before.pages == pages &&
                  after.unlocked_pages - before.unlocked_pages == pages
              ? 0
              : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace shardingdb::crypto_internal
