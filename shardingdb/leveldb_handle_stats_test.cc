// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What LevelDbHandle::GetStats counts.

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/shared_resources.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;

class LevelDbHandleStatsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(db_, OpenLevelDb(dir_.Join("db"), ShardOptions()));
  }

  TempDir dir_;
  const leveldb::ReadOptions read_;
  const leveldb::WriteOptions write_;
  std::unique_ptr<DbHandle> db_;
};

TEST_F(LevelDbHandleStatsTest, TheyCountWhatWasDone) {
  leveldb::WriteBatch batch;
  batch.Put("key1", "value");
  batch.Put("key2", "v");
  batch.Delete("key3");
  ASSERT_OK(db_->Write(write_, &batch));
  ASSERT_OK(db_->Put(write_, "key4", ""));
  ASSERT_OK(db_->Delete(write_, "key5"));
  std::string value;
  ASSERT_OK(db_->Get(read_, "key1", &value));
  EXPECT_THAT(db_->Get(read_, "key3", &value), IsLevelDbNotFound());
  bool found;
  ASSERT_OK(db_->Has(read_, "key4", &found));
  std::vector<std::string> values;
  EXPECT_THAT(db_->MultiGet(read_, {"key1", "key2", "key3"}, &values),
              ElementsAre(IsOk(), IsOk(), IsLevelDbNotFound()));
  const std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(read_));
  const ScopedSnapshot snapshot(db_.get());

  const DbStats stats = db_->GetStats();
  EXPECT_EQ(stats.shards, 1U);
  EXPECT_EQ(stats.puts, 3U);
  EXPECT_EQ(stats.deletes, 2U);
  EXPECT_EQ(stats.bytes_written, 5 * 4 + 6U);
  EXPECT_EQ(stats.gets, 6U);
  EXPECT_EQ(stats.gets_found, 4U);
  EXPECT_EQ(stats.bytes_read, 5 + 5 + 1U);
  EXPECT_EQ(stats.open_iterators, 1U);
  EXPECT_EQ(stats.open_snapshots, 1U);
}

TEST_F(LevelDbHandleStatsTest, ThoseOfManyThreadsAddUp) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 20; ++t) {
    threads.emplace_back([this, t] {
      std::string value;
      for (int i = 0; i < 100; ++i) {
        ASSERT_OK(db_->Put(write_, absl::StrCat(t), "12345"));
        ASSERT_OK(db_->Get(read_, absl::StrCat(t), &value));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const DbStats stats = db_->GetStats();
  EXPECT_EQ(stats.puts, 2000U);
  EXPECT_EQ(stats.gets, 2000U);
  EXPECT_EQ(stats.gets_found, 2000U);
  EXPECT_EQ(stats.bytes_read, 10000U);
}

TEST_F(LevelDbHandleStatsTest, TheyNameTheSharedBlockCache) {
  ShardOptions options;
  options.resources = SharedResources::New(ResourceOptions());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> first,
                       OpenLevelDb(dir_.Join("first"), options));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> second,
                       OpenLevelDb(dir_.Join("second"), options));
  const std::string text(100000, 't');
  ASSERT_OK(first->Put(write_, "a", text));
  EXPECT_GE(first->GetStats().memtable_bytes, 100000U);
  EXPECT_LT(second->GetStats().memtable_bytes, 100000U);
  first->CompactRange(nullptr, nullptr);
  std::string value;
  ASSERT_OK(first->Get(read_, "a", &value));

  const DbStats stats = second->GetStats();
  EXPECT_EQ(stats.block_cache, options.resources->block_cache());
  EXPECT_EQ(stats.block_cache, first->GetStats().block_cache);
  EXPECT_GE(stats.block_cache_bytes, 100000U);
  EXPECT_LT(stats.memtable_bytes, 100000U);
  EXPECT_EQ(stats.memory_bytes, stats.memtable_bytes + stats.block_cache_bytes);
}

}  // namespace
}  // namespace shardingdb
