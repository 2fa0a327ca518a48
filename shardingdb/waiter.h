// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_WAITER_H_
#define SHARDINGDB_WAITER_H_

#include <atomic>
#include <cstdint>

#include "absl/synchronization/notification.h"

namespace shardingdb {

// One thread that waits until all the queue entries it has pushed are done.
//
// The thread that completes the last entry must not touch the waiter afterwards
// unless the waiter sleeps, as the waiter may be gone. So the number of entries
// left, "I sleep" and "lead" share one atomic word: only the one thread whose
// change of that word makes waking necessary touches `wake_`, and whoever
// sleeps stays until it is woken.
class Waiter {
 public:
  explicit Waiter(uint32_t entries) : state_(entries) {}
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  bool Done() const {
    return (state_.load(std::memory_order_acquire) & ~kFlags) == 0;
  }

  // Called by the owner, once at most: sleeps until all entries are done or
  // until it is told to lead (which see).
  void Sleep() {
    const uint32_t before = state_.fetch_or(kAsleep, std::memory_order_acq_rel);
    if ((before & kLead) == 0 && (before & ~kFlags) != 0)
      wake_.WaitForNotification();
  }

  // Called by whoever has completed one of the entries, which it must not touch
  // any more.
  void EntryDone() {
    const uint32_t before = state_.fetch_sub(1, std::memory_order_acq_rel);
    if (before == (kAsleep | 1)) wake_.Notify();
  }

  // Tells the owner to drain the queues itself until it is done: it is woken,
  // or does not fall asleep. The caller makes sure that an entry of this waiter
  // stays undone during the call.
  void Lead() {
    const uint32_t before = state_.fetch_or(kLead, std::memory_order_acq_rel);
    if ((before & kFlags) == kAsleep) wake_.Notify();
  }

 private:
  static constexpr uint32_t kAsleep = uint32_t{1} << 31;
  static constexpr uint32_t kLead = uint32_t{1} << 30;
  static constexpr uint32_t kFlags = kAsleep | kLead;

  std::atomic<uint32_t> state_;  // entries not yet done, and the flags
  absl::Notification wake_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_WAITER_H_
