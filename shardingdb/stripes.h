// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_STRIPES_H_
#define SHARDINGDB_STRIPES_H_

// For counters that many threads change: each thread adds to the one of
// kStripes copies, each on its own cache line, that Stripe() names, and the sum
// is what counts.

#include <atomic>
#include <cstddef>

namespace shardingdb {

inline constexpr size_t kCacheLineSize = 64;
inline constexpr size_t kStripes = 16;

// Always the same for one thread; even over threads.
inline size_t Stripe() {
  static std::atomic<size_t> next{0};
  thread_local const size_t stripe =
      next.fetch_add(1, std::memory_order_relaxed) % kStripes;
  return stripe;
}

}  // namespace shardingdb

#endif  // SHARDINGDB_STRIPES_H_
