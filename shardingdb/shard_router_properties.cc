// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What ShardRouter says of itself and its shards, and compaction.

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shardingdb/applied_lsn.h"
#include "shardingdb/shard_router.h"

namespace shardingdb {
namespace {

constexpr size_t kMaxCompactThreads = 16;

std::string StatsText(const DbStats& stats) {
  return absl::StrCat("shards: ", stats.shards, "\ngets: ", stats.gets,
                      "\ngets-found: ", stats.gets_found,
                      "\nputs: ", stats.puts, "\ndeletes: ", stats.deletes,
                      "\nbytes-written: ", stats.bytes_written,
                      "\nbytes-read: ", stats.bytes_read,
                      "\nopen-iterators: ", stats.open_iterators,
                      "\nopen-snapshots: ", stats.open_snapshots,
                      "\nmemory-bytes: ", stats.memory_bytes,
                      "\nread-only: ", stats.read_only ? "yes" : "no", "\n");
}

}  // namespace

DbStats ShardRouter::GetStats() {
  DbStats sum = AddUpShards();
  // What opening and the commit log need is not the caller's.
  uint64_t notes = 0;
  for (const std::unique_ptr<ShardQueue>& queue : queues_)
    notes += queue->notes();
  sum.gets -= left_out_.gets;
  sum.gets_found -= left_out_.gets_found;
  sum.puts -= left_out_.puts + notes;
  sum.bytes_read -= left_out_.bytes_read;
  sum.bytes_written -= left_out_.bytes_written + notes * kAppliedLsnEntryBytes;
  sum.open_iterators = open_->iterators.load(std::memory_order_relaxed);
  sum.open_snapshots = open_->snapshots.load(std::memory_order_relaxed);
  sum.read_only = read_only_.load(std::memory_order_relaxed);
  return sum;
}

DbStats ShardRouter::AddUpShards() {
  DbStats sum;
  std::set<const void*> caches;  // each counted once
  for (const std::unique_ptr<DbHandle>& shard : shards_) {
    const DbStats stats = shard->GetStats();
    sum.shards += stats.shards;
    sum.gets += stats.gets;
    sum.gets_found += stats.gets_found;
    sum.puts += stats.puts;
    sum.deletes += stats.deletes;
    sum.bytes_written += stats.bytes_written;
    sum.bytes_read += stats.bytes_read;
    sum.memtable_bytes += stats.memtable_bytes;
    if (caches.insert(stats.block_cache).second) {
      sum.block_cache_bytes += stats.block_cache_bytes;
    }
  }
  caches.erase(nullptr);
  if (caches.size() == 1) {
    sum.block_cache = *caches.begin();
  } else {
    sum.memtable_bytes += sum.block_cache_bytes;
    sum.block_cache_bytes = 0;
  }
  sum.memory_bytes = sum.memtable_bytes + sum.block_cache_bytes;
  return sum;
}

bool ShardRouter::GetProperty(const leveldb::Slice& property,
                              std::string* value) {
  if (value == nullptr || closed_.load(std::memory_order_relaxed)) return false;
  const absl::string_view name(property.data(), property.size());
  if (name == "shardingdb.stats") {
    *value = StatsText(GetStats());
    return true;
  }
  if (name == "shardingdb.shard-count") {
    *value = absl::StrCat(shard_count());
    return true;
  }
  if (name == "shardingdb.sharding-function") {
    *value = function_->name();
    return true;
  }
  if (name == "shardingdb.batch-atomicity") {
    *value = commit_log_ == nullptr ? "per-shard" : "all-shards";
    return true;
  }
  if (name ==
      "leveldb.approximate-memory-usage") {  // adding up would count a shared
                                             // cache once a shard
    *value = absl::StrCat(GetStats().memory_bytes);
    return true;
  }

  uint64_t sum = 0;
  bool numbers = true;
  std::string texts;
  for (uint32_t shard = 0; shard < shard_count(); ++shard) {
    std::string part;
    if (!shards_[shard]->GetProperty(property, &part)) return false;
    uint64_t number = 0;
    numbers = numbers && absl::SimpleAtoi(part, &number);
    sum += number;
    absl::StrAppend(&texts, "--- shard ", shard, " ---\n", part);
    if (texts.back() != '\n') texts.push_back('\n');
  }
  *value = numbers ? absl::StrCat(sum) : std::move(texts);
  return true;
}

void ShardRouter::GetApproximateSizes(const leveldb::Range* range, int n,
                                      uint64_t* sizes) {
  if (range == nullptr || sizes == nullptr || n <= 0) return;
  std::fill_n(sizes, n, 0);
  if (closed_.load(std::memory_order_relaxed)) return;
  std::vector<uint64_t> part(static_cast<size_t>(n));
  for (const std::unique_ptr<DbHandle>& shard : shards_) {
    shard->GetApproximateSizes(range, n, part.data());
    for (int i = 0; i < n; ++i) sizes[i] += part[static_cast<size_t>(i)];
  }
}

void ShardRouter::CompactRange(const leveldb::Slice* begin,
                               const leveldb::Slice* end) {
  if (closed_.load(std::memory_order_relaxed)) return;
  ParallelFor(shards_.size(), kMaxCompactThreads,
              [&](size_t shard) { shards_[shard]->CompactRange(begin, end); });
}

}  // namespace shardingdb
