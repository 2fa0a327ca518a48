// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Many shards in one process with the limit of open files that Linux sets by
// default. A program of its own: LevelDB's Env looks at the limit only once.

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/shared_resources.h"
#include "shardingdb/thread_pool.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr uint32_t kShards = 200;

class ManyShardsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    struct rlimit limit;
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = 1024;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  }

  static std::string Key(int i) { return absl::StrCat("key", 100000 + i); }
  static std::string Value(size_t shard, int i) {
    return absl::StrCat(shard, "/", i, std::string(1000 + i % 100, 'v'));
  }

  // Writes more than a write buffer to every shard, and compacts it.
  static void Fill(const std::vector<std::unique_ptr<DbHandle>>& shards) {
    ParallelFor(shards.size(), kThreads, [&shards](size_t shard) {
      for (int i = 0; i < kEntries; i += 50) {
        leveldb::WriteBatch batch;
        for (int j = i; j < i + 50; ++j) batch.Put(Key(j), Value(shard, j));
        ASSERT_OK(shards[shard]->Write(leveldb::WriteOptions(), &batch));
      }
      shards[shard]->CompactRange(nullptr, nullptr);
    });
  }

  static void ReadAll(const std::vector<std::unique_ptr<DbHandle>>& shards) {
    ParallelFor(shards.size(), kThreads, [&shards](size_t shard) {
      std::string value;
      for (int i = 0; i < kEntries; i += 7) {
        ASSERT_OK(shards[shard]->Get(leveldb::ReadOptions(), Key(i), &value));
        ASSERT_EQ(value, Value(shard, i));
      }
      int count = 0;
      const std::unique_ptr<leveldb::Iterator> iterator(
          shards[shard]->NewIterator(leveldb::ReadOptions()));
      for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
        ++count;
      }
      ASSERT_OK(iterator->status());
      EXPECT_EQ(count, kEntries);
    });
  }

  static constexpr size_t kThreads = 8;
  static constexpr int kEntries = 500;

  TempDir dir_;
};

TEST_F(ManyShardsTest, ASetOf200OpensWritesCompactsAndReads) {
  ResourceOptions set;
  set.shard_count = kShards;
  ShardOptions options;
  options.resources = SharedResources::New(set);
  options.leveldb.max_file_size = 1 << 20;  // so that there are many
  for (int round = 0; round < 2; ++round) {
    std::vector<absl::StatusOr<std::unique_ptr<DbHandle>>> opened(kShards);
    ParallelFor(kShards, kThreads, [&](size_t i) {
      opened[i] = OpenLevelDb(dir_.Join(absl::StrCat("shard", i)), options);
    });
    std::vector<std::unique_ptr<DbHandle>> shards;
    for (auto& shard : opened) {
      ASSERT_THAT(shard, IsOk());
      shards.push_back(*std::move(shard));
    }
    if (round == 0) Fill(shards);
    ReadAll(shards);
  }
}

TEST_F(ManyShardsTest, ASetThatTheLimitCannotCarryIsRefusedAtTheFirstShard) {
  ResourceOptions set;
  set.shard_count = 300;
  ShardOptions options;
  options.resources = SharedResources::New(set);
  EXPECT_THAT(
      OpenLevelDb(dir_.Join("shard0"), options),
      StatusIs(absl::StatusCode::kResourceExhausted,
               AllOf(StartsWith(dir_.Join("shard0")), HasSubstr("300 shards"),
                     HasSubstr("ulimit -n"), HasSubstr("the limit is 1024"))));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("shard0")));
}

TEST_F(ManyShardsTest, OneByOneAsManyOpenAsTheLimitCarries) {
  std::vector<std::unique_ptr<DbHandle>> shards;
  absl::Status status;
  while (status.ok() && shards.size() < 400) {
    auto shard = OpenLevelDb(dir_.Join(absl::StrCat("shard", shards.size())),
                             ShardOptions());
    status = shard.status();
    if (shard.ok()) shards.push_back(*std::move(shard));
  }
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("1 shard "), HasSubstr("ulimit -n"))));
  EXPECT_GT(shards.size(), kShards);
  Fill(shards);
  ReadAll(shards);
}

}  // namespace
}  // namespace shardingdb
