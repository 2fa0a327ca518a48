// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"

namespace shardingdb {
namespace {

// Starts up to `count` threads that call `function`; fewer where the system has
// no more.
std::vector<std::thread> StartThreads(size_t count,
                                      const std::function<void()>& function) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.emplace_back(function);
  } catch (const std::exception&) {  // no thread or no memory left
  }
  return threads;
}

}  // namespace

ThreadPool::ThreadPool(size_t threads)
    : threads_(StartThreads(std::max<size_t>(threads, 1), [this] { Work(); })) {
}

ThreadPool::~ThreadPool() {
  {
    absl::MutexLock lock(&mutex_);
    ending_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Schedule(std::function<void()> function) {
  if (threads_.empty()) {
    function();
    return;
  }
  absl::MutexLock lock(&mutex_);
  waiting_.push_back(std::move(function));
}

void ThreadPool::Work() {
  for (;;) {
    std::function<void()> function;
    {
      absl::MutexLock lock(&mutex_,
                           absl::Condition(this, &ThreadPool::HasWork));
      if (waiting_.empty()) return;
      function = std::move(waiting_.front());
      waiting_.pop_front();
    }
    function();
  }
}

void ParallelFor(size_t count, size_t max_threads,
                 const std::function<void(size_t)>& function) {
  std::atomic<size_t> next{0};
  absl::Mutex mutex;
  std::exception_ptr thrown;  // the first; read once the others are joined
  const auto work = [&next, &mutex, &thrown, count, &function] {
    try {
      for (;;) {
        const size_t i = next.fetch_add(1, std::memory_order_relaxed);
        if (i >= count) return;
        function(i);
      }
    } catch (...) {
      next.store(count, std::memory_order_relaxed);
      absl::MutexLock lock(&mutex);
      if (thrown == nullptr) thrown = std::current_exception();
    }
  };
  const size_t wanted = std::min(count, max_threads);
  std::vector<std::thread> others =
      StartThreads(wanted > 1 ? wanted - 1 : 0, work);
  work();
  for (std::thread& thread : others) thread.join();
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

}  // namespace shardingdb
