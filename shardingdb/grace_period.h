// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_GRACE_PERIOD_H_
#define SHARDINGDB_GRACE_PERIOD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "shardingdb/stripes.h"

namespace shardingdb {

// Waits for operations that are under way without holding up new ones, as
// sleepable read-copy update does (McKenney, "Sleepable Read-Copy Update",
// 2006). An operation costs two atomic additions, mostly on a cache line that
// no other thread uses.
//
//   const GracePeriod::Operation operation(&grace_period);
//   ... read the current key, seal, write ...
//
//   ... make another key current ...
//   grace_period.Await();
//   // whatever was sealed under the former key is written
//
// An operation that Await() did not wait for sees all that was done before
// Await(). Thread-safe. A thread must not await while it is in an operation.
class GracePeriod {
 public:
  class Operation {
   public:
    explicit Operation(GracePeriod* grace_period)
        : count_(&grace_period->Current()) {
      count_->fetch_add(1, std::memory_order_acq_rel);
    }
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    ~Operation() { count_->fetch_sub(1, std::memory_order_release); }

   private:
    std::atomic<int64_t>* const count_;
  };

  GracePeriod() = default;
  GracePeriod(const GracePeriod&) = delete;
  GracePeriod& operator=(const GracePeriod&) = delete;

  // Returns once all operations that had begun before are over.
  void Await();

 private:
  struct alignas(kCacheLineSize) Count {
    std::atomic<int64_t> operations{0};
  };

  std::atomic<int64_t>& Current() {
    return counts_[phase_.load(std::memory_order_relaxed)][Stripe()].operations;
  }

  // New operations count themselves in the set of the phase; the other set only
  // gets fewer, but for those that had read the phase before it changed.
  Count counts_[2][kStripes];
  std::atomic<size_t> phase_{0};

  absl::Mutex turn_;  // one Await at a time
};

}  // namespace shardingdb

#endif  // SHARDINGDB_GRACE_PERIOD_H_
