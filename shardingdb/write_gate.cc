// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/write_gate.h"

#include <atomic>
#include <cstdint>

#include "absl/synchronization/mutex.h"

namespace shardingdb {

void WriteGate::Close() {
  absl::MutexLock turn(&turn_);
  closed_.store(true, std::memory_order_seq_cst);
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &WriteGate::NoWriters));
}

void WriteGate::Open() {
  absl::MutexLock turn(&turn_);
  closed_.store(false, std::memory_order_seq_cst);
}

// Releasing the mutex makes absl::Mutex look at the condition again.
void WriteGate::WakeCloser() { absl::MutexLock lock(&mutex_); }

bool WriteGate::NoWriters() const {
  int64_t sum = 0;
  for (const Writers& writers : writers_) {
    sum += writers.count.load(std::memory_order_seq_cst);
  }
  return sum == 0;
}

}  // namespace shardingdb
