// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RATE_LIMITER_H_
#define SHARDINGDB_RATE_LIMITER_H_

#include <atomic>
#include <cstdint>
#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace shardingdb {

// Lets through so many bytes a second, however many threads ask.
//
// A bucket that runs full while nobody asks would let a burst through; this one
// does not fill up. Whoever asks gets all of it and the next one waits.
//
// Safe to call from any thread.
class RateLimiter {
 public:
  struct Options {
    // 0 means no limit.
    uint64_t bytes_per_second = 0;

    // Nobody waits any longer once it is true; may be null.
    const std::atomic<bool>* stop = nullptr;

    // What time it is, and how to wait; null means the system's.
    std::function<absl::Time()> now;
    std::function<void(absl::Duration)> sleep;
  };

  explicit RateLimiter(Options options);
  RateLimiter(const RateLimiter&) = delete;
  RateLimiter& operator=(const RateLimiter&) = delete;

  // Waits until `bytes` may be written.
  void Take(uint64_t bytes);

 private:
  // When this caller may begin.
  absl::Time Reserve(uint64_t bytes);

  const Options options_;

  absl::Mutex mutex_;
  absl::Time free_at_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RATE_LIMITER_H_
