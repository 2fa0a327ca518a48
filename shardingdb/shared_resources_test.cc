// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shared_resources.h"

#include <strings.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/synchronization/barrier.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"
#include "shardingdb/pool_env.h"

namespace shardingdb {
namespace {

leveldb::Options TunedFor(uint32_t shard_count,
                          uint64_t memory = uint64_t{256} << 20) {
  ResourceOptions options;
  options.shard_count = shard_count;
  options.memory_budget_bytes = memory;
  return SharedResources::New(options)->Tune(leveldb::Options());
}

TEST(SharedResourcesTest, WriteBuffersShareThreeQuartersOfTheMemory) {
  EXPECT_EQ(TunedFor(1).write_buffer_size, size_t{96} << 20);
  EXPECT_EQ(TunedFor(3).write_buffer_size, size_t{32} << 20);
  EXPECT_EQ(TunedFor(6).write_buffer_size, size_t{16} << 20);
  EXPECT_EQ(TunedFor(60).write_buffer_size, (size_t{192} << 20) / 120);
  EXPECT_EQ(TunedFor(300).write_buffer_size, (size_t{192} << 20) / 600);
}

TEST(SharedResourcesTest, WriteBuffersHaveALeastSize) {
  EXPECT_EQ(TunedFor(65535).write_buffer_size, size_t{256} << 10);
  EXPECT_EQ(TunedFor(3, 0).write_buffer_size, size_t{512} << 10);
  EXPECT_EQ(TunedFor(0, 0).write_buffer_size, (size_t{3} << 20) / 2);
}

TEST(SharedResourcesTest, TableFilesAreLargerThanLevelDbs) {
  for (const uint32_t shard_count : {1, 3, 60, 300, 65535}) {
    const leveldb::Options tuned = TunedFor(shard_count);
    EXPECT_GT(tuned.max_file_size, leveldb::Options().max_file_size);
    EXPECT_LE(tuned.max_file_size, size_t{16} << 20);
    EXPECT_GE(tuned.max_open_files, 74);
  }
}

// It may call keys of different bytes equal, which a filter tells apart.
TEST(SharedResourcesTest, NoFilterForAComparatorOfTheCallersOwn) {
  class CaseInsensitive : public leveldb::Comparator {
   public:
    int Compare(const leveldb::Slice& a,
                const leveldb::Slice& b) const override {
      return ::strncasecmp(a.data(), b.data(), std::min(a.size(), b.size()));
    }
    const char* Name() const override { return "case-insensitive"; }
    void FindShortestSeparator(std::string*,
                               const leveldb::Slice&) const override {}
    void FindShortSuccessor(std::string*) const override {}
  };
  const CaseInsensitive comparator;
  leveldb::Options options;
  options.comparator = &comparator;
  const auto resources = SharedResources::New(ResourceOptions());
  EXPECT_EQ(resources->Tune(options).filter_policy, nullptr);

  const std::unique_ptr<const leveldb::FilterPolicy> own(
      leveldb::NewBloomFilterPolicy(5));
  options.filter_policy = own.get();
  EXPECT_EQ(resources->Tune(options).filter_policy, own.get());
}

TEST(SharedResourcesTest, AllShardsGetTheSameCacheAndFilter) {
  const auto resources = SharedResources::New(ResourceOptions());
  const leveldb::Options first = resources->Tune(leveldb::Options());
  const leveldb::Options second = resources->Tune(leveldb::Options());
  EXPECT_EQ(first.block_cache, resources->block_cache());
  EXPECT_EQ(second.block_cache, resources->block_cache());
  EXPECT_EQ(first.env, resources->env());
  ASSERT_NE(first.filter_policy, nullptr);
  EXPECT_EQ(first.filter_policy, second.filter_policy);
}

TEST(SharedResourcesTest, TheCallersChoicesStay) {
  const auto resources = SharedResources::New(ResourceOptions());
  const std::unique_ptr<leveldb::Cache> cache(leveldb::NewLRUCache(1 << 20));
  const std::unique_ptr<const leveldb::FilterPolicy> filter(
      leveldb::NewBloomFilterPolicy(20));
  leveldb::Options options;
  options.block_cache = cache.get();
  options.filter_policy = filter.get();
  options.write_buffer_size = 1 << 20;
  options.max_file_size = 3 << 20;
  options.max_open_files = 500;
  options.paranoid_checks = true;
  options.compression = leveldb::kNoCompression;
  const leveldb::Options tuned = resources->Tune(options);
  EXPECT_EQ(tuned.block_cache, cache.get());
  EXPECT_EQ(tuned.filter_policy, filter.get());
  EXPECT_EQ(tuned.write_buffer_size, size_t{1} << 20);
  EXPECT_EQ(tuned.max_file_size, size_t{3} << 20);
  EXPECT_EQ(tuned.max_open_files, 500);
  EXPECT_TRUE(tuned.hint_after_last);
  EXPECT_TRUE(tuned.paranoid_checks);
  EXPECT_EQ(tuned.compression, leveldb::kNoCompression);
}

TEST(SharedResourcesTest, ACallersEnvIsWrappedOnce) {
  const std::unique_ptr<leveldb::Env> memory(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  const auto resources = SharedResources::New(ResourceOptions());
  leveldb::Options options;
  options.env = memory.get();
  const leveldb::Options tuned = resources->Tune(options);
  EXPECT_NE(tuned.env, memory.get());
  EXPECT_NE(tuned.env, resources->env());
  EXPECT_EQ(static_cast<PoolEnv*>(tuned.env)->target(), memory.get());
  EXPECT_EQ(resources->Tune(options).env, tuned.env);
  EXPECT_EQ(resources->Tune(tuned).env, tuned.env);
  options.env = resources->env();
  EXPECT_EQ(resources->Tune(options).env, resources->env());
  options.env = nullptr;
  EXPECT_EQ(resources->Tune(options).env, resources->env());
}

TEST(SharedResourcesTest, TheEnvOfTheSetIsUsed) {
  const std::unique_ptr<leveldb::Env> memory(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  ResourceOptions options;
  options.env = memory.get();
  const auto resources = SharedResources::New(options);
  const leveldb::Options tuned = resources->Tune(leveldb::Options());
  EXPECT_EQ(static_cast<PoolEnv*>(tuned.env)->target(), memory.get());
}

TEST(SharedResourcesTest, FilesAreCountedWhereLevelDbsEnvKeepsThem) {
  const std::unique_ptr<leveldb::Env> memory(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  const auto resources = SharedResources::New(ResourceOptions());
  EXPECT_NE(resources->file_budget(resources->env()), nullptr);
  leveldb::Options options;
  options.env = memory.get();
  EXPECT_EQ(resources->file_budget(resources->Tune(options).env), nullptr);
  ResourceOptions in_memory;
  in_memory.env = memory.get();
  const auto others = SharedResources::New(in_memory);
  EXPECT_EQ(others->file_budget(others->env()), nullptr);
}

TEST(SharedResourcesTest, ThreadsCanBeChosen) {
  ResourceOptions options;
  options.compaction_threads = 3;
  const auto resources = SharedResources::New(options);
  EXPECT_EQ(resources->compaction_threads(), 3U);
  auto* const barrier = new absl::Barrier(3);
  for (int i = 0; i < 3; ++i) {
    resources->env()->Schedule(
        [](void* argument) {
          auto* const shared = static_cast<absl::Barrier*>(argument);
          if (shared->Block()) delete shared;
        },
        barrier);
  }
}

TEST(SharedResourcesTest, OneShardNeedsOneThread) {
  ResourceOptions options;
  options.shard_count = 1;
  EXPECT_EQ(SharedResources::New(options)->compaction_threads(), 1U);
  options.shard_count = 300;
  EXPECT_GE(SharedResources::New(options)->compaction_threads(), 2U);
}

TEST(SharedResourcesTest, TheDefaultIsOneAsLongAsItIsUsed) {
  auto first = SharedResources::Default();
  EXPECT_EQ(SharedResources::Default(), first);
  const std::weak_ptr<SharedResources> gone = first;
  first.reset();
  EXPECT_TRUE(gone.expired());
  EXPECT_NE(SharedResources::Default(), nullptr);
}

}  // namespace
}  // namespace shardingdb
