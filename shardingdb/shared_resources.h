// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARED_RESOURCES_H_
#define SHARDINGDB_SHARED_RESOURCES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/cache.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"
#include "shardingdb/file_budget.h"
#include "shardingdb/pool_env.h"
#include "shardingdb/thread_pool.h"

namespace shardingdb {

struct ResourceOptions {
  // Block cache and write buffers of all shards together, in bytes: a quarter
  // for the cache, and the rest for the write buffers, of which each shard may
  // have two at a time. Default 256 MiB; less than 4 MiB is taken as 4 MiB. A
  // write buffer is never below 256 KiB, so many shards may take more, and
  // never above 128 MiB, so few may take less.
  uint64_t memory_budget_bytes = uint64_t{256} << 20;

  // How many shards divide the budget: 1 to kMaxShards; 0 is taken as 1.
  uint32_t shard_count = 8;

  // Threads for flushes and compactions of all shards together; 0 (or less)
  // means as many as suit the machine and shard_count.
  int compaction_threads = 0;

  // What files are reached through; null means leveldb::Env::Default(). Not
  // owned; must outlive the SharedResources.
  leveldb::Env* env = nullptr;
};

// What the shards of one set share: an Env whose background work runs on a pool
// of threads (LevelDB's own Env has one thread for all databases of the
// process), one block cache, one Bloom filter policy, one memory budget and one
// open-file budget.
//
// Safe to call from any thread. Must outlive every database that uses it:
// handles opened with it hold it.
class SharedResources {
 public:
  [[nodiscard]] static std::shared_ptr<SharedResources> New(
      const ResourceOptions& options);

  // One for the process, with the defaults above, for shards that are opened
  // one by one without naming any. It goes when the last of its users does.
  [[nodiscard]] static std::shared_ptr<SharedResources> Default();

  SharedResources(const SharedResources&) = delete;
  SharedResources& operator=(const SharedResources&) = delete;
  ~SharedResources() = default;

  // Returns `options` with every field that is still at LevelDB's default
  // replaced by this set's value: block_cache, filter_policy (but for a
  // comparator of the caller's own, which may call different keys equal),
  // write_buffer_size, max_file_size, max_open_files. A field that differs from
  // LevelDB's default is the caller's choice and stays, but for env, which is
  // wrapped so that its background work runs on the pool, and for
  // hint_after_last, which is always set. A null env is this set's.
  leveldb::Options Tune(const leveldb::Options& options) const;

  leveldb::Env* env() const { return &env_; }
  leveldb::Cache* block_cache() const { return block_cache_.get(); }
  size_t compaction_threads() const { return pool_.size(); }

  // What to ask before a shard is opened through `env`. Null where the limit of
  // open files says nothing: other Envs than LevelDB's own may keep files
  // elsewhere.
  FileBudget* file_budget(const leveldb::Env* env);

 private:
  SharedResources(const ResourceOptions& options, bool shards_come_together);

  // The Env to give to LevelDB where the caller chose `env`.
  leveldb::Env* PoolEnvFor(leveldb::Env* env) const;

  mutable ThreadPool pool_;
  mutable PoolEnv env_;
  const std::unique_ptr<leveldb::Cache> block_cache_;
  const std::unique_ptr<const leveldb::FilterPolicy> filter_policy_;
  const size_t write_buffer_size_;
  const size_t max_file_size_;
  const int max_open_files_;
  FileBudget file_budget_;

  mutable absl::Mutex mutex_;
  // By the Env that each wraps: those that callers have chosen.
  mutable std::map<leveldb::Env*, std::unique_ptr<PoolEnv>> other_envs_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARED_RESOURCES_H_
