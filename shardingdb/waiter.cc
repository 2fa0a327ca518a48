// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/waiter.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shardingdb {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t),
              "a futex is 32 bits");

void Waiter::Sleep() {
  uint32_t state =
      state_.fetch_or(kAsleep, std::memory_order_acq_rel) | kAsleep;
  while ((state & kLead) == 0 && (state & ~kFlags) != 0) {
    // Returns at once if the word is not `state` any more.
    syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, state, nullptr, nullptr, 0);
    state = state_.load(std::memory_order_acquire);
  }
}

void Waiter::Wake(std::atomic<uint32_t>* state) {
  syscall(SYS_futex, state, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace shardingdb
