// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_WRITE_GATE_H_
#define SHARDINGDB_WRITE_GATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "shardingdb/stripes.h"

namespace shardingdb {

// Lets writes pass or refuses them; closing it waits for those that have passed
// and are not done. Passing costs two atomic additions, mostly on a cache line
// that no other thread uses.
//
//   const WriteGate::Pass pass(&gate);
//   if (!pass.ok()) return NotSupported("read-only");
//
// Thread-safe. A thread must not close it while it holds a Pass.
class WriteGate {
 public:
  // One write. ok() says whether the gate let it pass.
  class Pass {
   public:
    explicit Pass(WriteGate* gate)
        : gate_(gate), stripe_(Stripe()), ok_(gate->Enter(stripe_)) {}
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
      if (ok_) gate_->Leave(stripe_);
    }

    bool ok() const { return ok_; }

   private:
    WriteGate* const gate_;
    const size_t stripe_;
    const bool ok_;
  };

  // Open at first.
  WriteGate() = default;
  WriteGate(const WriteGate&) = delete;
  WriteGate& operator=(const WriteGate&) = delete;

  // After Close has returned no write is under way, and none passes until Open.
  void Close();
  void Open();

  bool closed() const { return closed_.load(std::memory_order_relaxed); }

 private:
  struct alignas(kCacheLineSize) Writers {
    std::atomic<int64_t> count{0};
  };

  // Whether a write may pass. A write that counts itself and then sees an open
  // gate is seen by whoever closes the gate and then counts, as all of this is
  // in one order that all threads agree on.
  bool Enter(size_t stripe) {
    writers_[stripe].count.fetch_add(1, std::memory_order_seq_cst);
    if (!closed_.load(std::memory_order_seq_cst)) return true;
    Leave(stripe);
    return false;
  }

  void Leave(size_t stripe) {
    writers_[stripe].count.fetch_sub(1, std::memory_order_seq_cst);
    if (closed_.load(std::memory_order_seq_cst)) WakeCloser();
  }

  void WakeCloser();
  bool NoWriters() const;

  Writers writers_[kStripes];
  std::atomic<bool> closed_{false};

  absl::Mutex turn_;   // held by who opens or closes; before mutex_
  absl::Mutex mutex_;  // for waiting
};

}  // namespace shardingdb

#endif  // SHARDINGDB_WRITE_GATE_H_
