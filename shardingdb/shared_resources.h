// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARED_RESOURCES_H_
#define SHARDINGDB_SHARED_RESOURCES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "leveldb/cache.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"

namespace shardingdb {

struct ResourceOptions {
  // Block cache and write buffers of all shards together, in bytes. Default 256 MiB, at least 4 MiB.
  uint64_t memory_budget_bytes = uint64_t{256} << 20;

  // How many shards divide the budget: 1 to kMaxShards.
  uint32_t shard_count = 8;

  // Threads for flushes and compactions of all shards together; 0 means as many as suit the machine and shard_count.
  int compaction_threads = 0;

  // What files are reached through; null means leveldb::Env::Default(). Not owned; must outlive the SharedResources.
  leveldb::Env* env = nullptr;
};

// What the shards of one set share: an Env whose background work runs on a pool of threads (LevelDB's own Env has one thread
// for all databases of the process), one block cache, one Bloom filter policy, one memory budget and one open-file budget.
//
// Safe to call from any thread. Must outlive every database that uses it: handles opened with it hold it.
class SharedResources {
 public:
  [[nodiscard]] static std::shared_ptr<SharedResources> New(const ResourceOptions& options);

  // One for the process, for shards that are opened one by one without naming any: made at first use with the defaults above.
  [[nodiscard]] static std::shared_ptr<SharedResources> Default();

  SharedResources(const SharedResources&) = delete;
  SharedResources& operator=(const SharedResources&) = delete;
  ~SharedResources();

  // Returns `options` with every field that is still at LevelDB's default replaced by this set's value: env, block_cache,
  // filter_policy, write_buffer_size, max_file_size, max_open_files. A field that differs from LevelDB's default is the
  // caller's choice and stays, but for env, which is wrapped so that its background work runs on the pool.
  leveldb::Options Tune(const leveldb::Options& options) const;

  leveldb::Env* env() const;
  leveldb::Cache* block_cache() const;

 private:
  // ... (implementation)
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARED_RESOURCES_H_
