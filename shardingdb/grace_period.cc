// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/grace_period.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace shardingdb {

void GracePeriod::Await() {
  // How often it looks: seldom enough to cost nothing beside a write.
  constexpr absl::Duration kBetweenLooks = absl::Microseconds(200);
  absl::MutexLock lock(&turn_);
  // Both sets: an operation that had begun before may be in either, as it may
  // have read the phase before an earlier Await changed it.
  for (int set = 0; set < 2; ++set) {
    const size_t phase = phase_.load(std::memory_order_relaxed);
    phase_.store(1 - phase, std::memory_order_relaxed);
    for (Count& count : counts_[phase]) {
      // An addition of nothing, not a load: an operation whose own addition
      // comes after it in the order of this counter is one that synchronizes
      // with it, and so sees what was done before.
      while (count.operations.fetch_add(0, std::memory_order_acq_rel) != 0) {
        absl::SleepFor(kBetweenLooks);
      }
    }
  }
}

}  // namespace shardingdb
