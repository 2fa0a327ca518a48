// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_HANDLE_COUNTERS_H_
#define SHARDINGDB_HANDLE_COUNTERS_H_

#include <atomic>
#include <cstdint>

#include "shardingdb/db_handle.h"
#include "shardingdb/stripes.h"

namespace shardingdb {

// What a handle counts of reads and writes, striped so that threads do not wait
// for each other's cache lines. Thread-safe.
class HandleCounters {
 public:
  HandleCounters() = default;
  HandleCounters(const HandleCounters&) = delete;
  HandleCounters& operator=(const HandleCounters&) = delete;

  // A key was looked up and was not there, or could not be read.
  void CountMiss() { Add(&Counts::misses, 1); }

  // A key was looked up and found, and `bytes` of its value given to the
  // caller.
  void CountHit(uint64_t bytes) {
    Add(&Counts::hits, 1);
    Add(&Counts::bytes_read, bytes);
  }

  void CountWrite(uint64_t puts, uint64_t deletes, uint64_t bytes) {
    if (puts > 0) Add(&Counts::puts, puts);
    if (deletes > 0) Add(&Counts::deletes, deletes);
    if (bytes > 0) Add(&Counts::bytes_written, bytes);
  }

  // Adds the counts to those in *stats.
  void AddTo(DbStats* stats) const {
    for (const Counts& counts : counts_) {
      const uint64_t hits = counts.hits.load(std::memory_order_relaxed);
      stats->gets += hits + counts.misses.load(std::memory_order_relaxed);
      stats->gets_found += hits;
      stats->puts += counts.puts.load(std::memory_order_relaxed);
      stats->deletes += counts.deletes.load(std::memory_order_relaxed);
      stats->bytes_written +=
          counts.bytes_written.load(std::memory_order_relaxed);
      stats->bytes_read += counts.bytes_read.load(std::memory_order_relaxed);
    }
  }

 private:
  using Count = std::atomic<uint64_t>;

  struct alignas(kCacheLineSize) Counts {
    Count misses{0};
    Count hits{0};
    Count puts{0};
    Count deletes{0};
    Count bytes_written{0};
    Count bytes_read{0};
  };

  void Add(Count Counts::*count, uint64_t n) {
    (counts_[Stripe()].*count).fetch_add(n, std::memory_order_relaxed);
  }

  Counts counts_[kStripes];
};

}  // namespace shardingdb

#endif  // SHARDINGDB_HANDLE_COUNTERS_H_
