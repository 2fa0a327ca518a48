// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_WAITER_H_
#define SHARDINGDB_WAITER_H_

#include <atomic>
#include <cstdint>

namespace shardingdb {

// One thread that waits until all the queue entries it has pushed are done.
//
// The number of entries left, "I sleep" and "lead" share one atomic word, so
// that whoever completes the last entry knows from its one change of the word
// whether somebody has to be woken. From that change on the waiter may be gone;
// waking then only names its address to the kernel (Linux futex), which at
// worst wakes a thread that looks again and goes back to sleep.
class Waiter {
 public:
  explicit Waiter(uint32_t entries) : state_(entries) {}
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  bool Done() const {
    return (state_.load(std::memory_order_acquire) & ~kFlags) == 0;
  }

  // Called by the owner: sleeps until all entries are done or until it is told
  // to lead (which see).
  void Sleep();

  // Called by whoever has completed one of the entries, which it must not touch
  // any more.
  void EntryDone() {
    const uint32_t before = state_.fetch_sub(1, std::memory_order_acq_rel);
    if (before == (kAsleep | 1)) Wake(&state_);
  }

  // Tells the owner to drain the queues itself until it is done: it is woken,
  // or does not fall asleep. The caller makes sure that an entry of this waiter
  // stays undone during the call.
  void Lead() {
    const uint32_t before = state_.fetch_or(kLead, std::memory_order_acq_rel);
    if ((before & kFlags) == kAsleep) Wake(&state_);
  }

 private:
  static constexpr uint32_t kAsleep = uint32_t{1} << 31;
  static constexpr uint32_t kLead = uint32_t{1} << 30;
  static constexpr uint32_t kFlags = kAsleep | kLead;

  static void Wake(std::atomic<uint32_t>* state);

  std::atomic<uint32_t> state_;  // entries not yet done, and the flags
};

}  // namespace shardingdb

#endif  // SHARDINGDB_WAITER_H_
