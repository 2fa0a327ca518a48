// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_THREAD_POOL_H_
#define SHARDINGDB_THREAD_POOL_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace shardingdb {

// A fixed number of threads that run what is scheduled, first come, first
// served.
//
// Thread safety: Schedule may be called from any thread, from a scheduled
// function too. The destructor runs all that was scheduled and waits for it; it
// must not be called from a scheduled function.
class ThreadPool {
 public:
  // Starts `threads` threads (at least one). If the system has fewer left, the
  // pool makes do with those, and with none runs everything within Schedule.
  explicit ThreadPool(size_t threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  // Runs `function`, which must not throw, on one of the threads.
  void Schedule(std::function<void()> function);

  // How many threads were started.
  size_t size() const { return threads_.size(); }

 private:
  void Work();
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return ending_ || !waiting_.empty();
  }

  absl::Mutex mutex_;
  std::deque<std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;  // not changed after the constructor
};

// Calls function(0) to function(count - 1) on the calling thread and up to
// max_threads - 1 others, which are started for it, and returns when all are
// done. Once one has thrown, no more are called, and the first exception is
// thrown on when those under way are done. For work that waits, such as opening
// files or syncing.
void ParallelFor(size_t count, size_t max_threads,
                 const std::function<void(size_t)>& function);

}  // namespace shardingdb

#endif  // SHARDINGDB_THREAD_POOL_H_
