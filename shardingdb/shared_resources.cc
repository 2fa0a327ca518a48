// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shared_resources.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"
#include "shardingdb/pool_env.h"

namespace shardingdb {
namespace {

constexpr uint64_t kMinMemoryBudget = uint64_t{4} << 20;
constexpr uint64_t kMinWriteBuffer = uint64_t{256} << 10;
constexpr uint64_t kMaxWriteBuffer = uint64_t{128} << 20;
constexpr uint64_t kMinTableFile = uint64_t{4} << 20;
constexpr uint64_t kMaxTableFile = uint64_t{16} << 20;
constexpr int kBloomBitsPerKey = 10;  // 1 % false positives

uint32_t ShardCount(const ResourceOptions& options) {
  return std::max<uint32_t>(options.shard_count, 1);
}

uint64_t MemoryBudget(const ResourceOptions& options) {
  return std::max(options.memory_budget_bytes, kMinMemoryBudget);
}

// One buffer is written to a table file while the next one fills.
size_t WriteBufferSize(const ResourceOptions& options) {
  const uint64_t for_buffers = MemoryBudget(options) / 4 * 3;
  return static_cast<size_t>(std::clamp(for_buffers / (2 * ShardCount(options)),
                                        kMinWriteBuffer, kMaxWriteBuffer));
}

// LevelDB's 2 MiB make ten thousand files of 20 GB; but a compaction rewrites
// whole files, so one must not be much more than what a shard writes at a time.
size_t MaxFileSize(const ResourceOptions& options) {
  return std::clamp<uint64_t>(WriteBufferSize(options), kMinTableFile,
                              kMaxTableFile);
}

// How many table files a shard keeps open. LevelDB's Env holds the first 1,000
// as memory maps, which take no descriptor, and then as many as a fifth of the
// limit; it opens others for each read. LevelDB takes less than 74 as 74.
int MaxOpenFiles(const ResourceOptions& options) {
  constexpr uint64_t kMemoryMaps = 1000;
  constexpr uint64_t kMin = 74;
  constexpr uint64_t kMax = 5000;
  struct rlimit limit;
  uint64_t files = 1024;
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    files = std::min<uint64_t>(limit.rlim_cur, 1 << 20);
  }
  return static_cast<int>(
      std::clamp((kMemoryMaps + files / 5) / ShardCount(options), kMin, kMax));
}

// A flush waits behind the compactions of other shards that were scheduled
// before it, and writers wait for the flush. Twice as many threads as cores
// keep that wait short; LevelDB has at most one piece of work for a shard at a
// time.
size_t CompactionThreads(const ResourceOptions& options) {
  constexpr size_t kMax = 32;
  if (options.compaction_threads > 0) return options.compaction_threads;
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::min<size_t>({2 * cores, kMax, ShardCount(options)});
}

}  // namespace

std::shared_ptr<SharedResources> SharedResources::New(
    const ResourceOptions& options) {
  return std::shared_ptr<SharedResources>(
      new SharedResources(options, /*shards_come_together=*/true));
}

std::shared_ptr<SharedResources> SharedResources::Default() {
  static absl::Mutex* const mutex = new absl::Mutex();
  static auto* const current = new std::weak_ptr<SharedResources>();
  absl::MutexLock lock(mutex);
  std::shared_ptr<SharedResources> resources = current->lock();
  if (resources == nullptr) {
    resources.reset(new SharedResources(ResourceOptions(),
                                        /*shards_come_together=*/false));
    *current = resources;
  }
  return resources;
}

SharedResources::SharedResources(const ResourceOptions& options,
                                 bool shards_come_together)
    : pool_(CompactionThreads(options)),
      env_(options.env != nullptr ? options.env : leveldb::Env::Default(),
           &pool_),
      block_cache_(leveldb::NewLRUCache(MemoryBudget(options) / 4)),
      filter_policy_(leveldb::NewBloomFilterPolicy(kBloomBitsPerKey)),
      write_buffer_size_(WriteBufferSize(options)),
      max_file_size_(MaxFileSize(options)),
      max_open_files_(MaxOpenFiles(options)),
      file_budget_(shards_come_together ? ShardCount(options) : 0,
                   pool_.size()) {}

leveldb::Options SharedResources::Tune(const leveldb::Options& options) const {
  const leveldb::Options defaults;
  leveldb::Options tuned = options;
  tuned.env = PoolEnvFor(options.env);
  if (options.block_cache == nullptr) tuned.block_cache = block_cache_.get();
  // A filter knows bytes; a comparator of one's own may call different ones
  // equal.
  if (options.filter_policy == nullptr &&
      options.comparator == leveldb::BytewiseComparator()) {
    tuned.filter_policy = filter_policy_.get();
  }
  tuned.hint_after_last = true;
  if (options.write_buffer_size == defaults.write_buffer_size) {
    tuned.write_buffer_size = write_buffer_size_;
  }
  if (options.max_file_size == defaults.max_file_size) {
    tuned.max_file_size = max_file_size_;
  }
  if (options.max_open_files == defaults.max_open_files) {
    tuned.max_open_files = max_open_files_;
  }
  return tuned;
}

FileBudget* SharedResources::file_budget(const leveldb::Env* env) {
  const bool is_own = env == &env_ && env_.target() == leveldb::Env::Default();
  return is_own ? &file_budget_ : nullptr;
}

leveldb::Env* SharedResources::PoolEnvFor(leveldb::Env* env) const {
  if (env == nullptr || env == leveldb::Env::Default() || env == &env_ ||
      env == env_.target()) {
    return &env_;
  }
  absl::MutexLock lock(&mutex_);
  for (const auto& [base, wrapped] : other_envs_) {
    if (env == wrapped.get()) return env;
  }
  std::unique_ptr<PoolEnv>& wrapped = other_envs_[env];
  if (wrapped == nullptr) wrapped = std::make_unique<PoolEnv>(env, &pool_);
  return wrapped.get();
}

}  // namespace shardingdb
