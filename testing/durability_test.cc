// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What a set still has after the power, or the process, went.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "testing/power_loss_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::WriteOptions;

constexpr int kShards = 3;
constexpr PowerLoss kLost = {PowerLoss::Unsynced::kLost, 0};
constexpr PowerLoss kKilled = {PowerLoss::Unsynced::kKept, 0};

// "0..." lives in shard 0, "1..." in shard 1, "2..." in shard 2.
ShardingFuncPtr ByFirstDigit() {
  return CustomSharding("by-first-digit", [](const Slice& key, uint32_t) {
    return static_cast<uint32_t>(key[0] - '0');
  });
}

std::string Key(int shard, int i) { return absl::StrCat(shard, "/", i); }

WriteOptions Sync(bool sync) {
  WriteOptions options;
  options.sync = sync;
  return options;
}

class DurabilityTest : public ::testing::Test {
 protected:
  DurabilityTest() { Open(); }

  void Open() {
    std::vector<std::string> paths;
    for (int i = 0; i < kShards; ++i) {
      paths.push_back(dir_.Join(absl::StrCat("shard", i)));
    }
    leveldb::Options options;
    options.create_if_missing = true;
    options.env = &env_;
    options.write_buffer_size = 64 << 10;
    ASSERT_OK_AND_ASSIGN(db_, ShardingDbBuilder()
                                  .WithDbPaths(paths)
                                  .WithOptions(options)
                                  .WithShardingFunc(ByFirstDigit())
                                  .Build());
  }

  void Lose(const PowerLoss& loss) {
    env_.CutPower();
    db_.reset();
    ASSERT_OK(env_.RestorePower(loss));
    Open();
  }

  void Put(int shard, int i, bool sync) {
    EXPECT_OK(db_->Put(Sync(sync), Key(shard, i),
                       absl::StrCat(i, std::string(500, 'v'))));
  }

  bool Has(int shard, int i) {
    bool found = false;
    EXPECT_OK(db_->Has(ReadOptions(), Key(shard, i), &found));
    return found;
  }

  // How many entries 0, 1, ... of a shard there are; fails for any after the
  // first one that is missing.
  int CountFirst(int shard, int written) {
    int count = 0;
    while (count < written && Has(shard, count)) ++count;
    for (int i = count; i < written; ++i) EXPECT_FALSE(Has(shard, i)) << i;
    return count;
  }

  const TempDir dir_;
  PowerLossEnv env_{leveldb::Env::Default(), dir_.Join("trash")};
  std::unique_ptr<ShardingDb> db_;
};

TEST_F(DurabilityTest, SyncedWritesSurviveAPowerLoss) {
  for (int i = 0; i < 30; ++i) Put(i % kShards, i / kShards, /*sync=*/true);
  Lose(kLost);
  for (int shard = 0; shard < kShards; ++shard) {
    EXPECT_EQ(CountFirst(shard, 10), 10);
  }
}

TEST_F(DurabilityTest, ASyncedBatchSurvivesInEveryShard) {
  leveldb::WriteBatch batch;
  for (int shard = 0; shard < kShards; ++shard) batch.Put(Key(shard, 0), "1");
  EXPECT_OK(db_->Write(Sync(true), &batch));
  Lose(kLost);
  for (int shard = 0; shard < kShards; ++shard) EXPECT_TRUE(Has(shard, 0));
}

TEST_F(DurabilityTest, AnEmptySyncedBatchMakesAllBeforeItDurable) {
  for (int i = 0; i < 30; ++i) Put(i % kShards, i / kShards, /*sync=*/false);
  leveldb::WriteBatch empty;
  EXPECT_OK(db_->Write(Sync(true), &empty));
  for (int i = 30; i < 60; ++i) Put(i % kShards, i / kShards, /*sync=*/false);
  Lose(kLost);
  for (int shard = 0; shard < kShards; ++shard) {
    EXPECT_GE(CountFirst(shard, 20), 10);
  }
}

TEST_F(DurabilityTest, AKilledProcessLosesNothing) {
  // Enough for several tables.
  for (int i = 0; i < 1500; ++i) Put(i % kShards, i / kShards, /*sync=*/false);
  leveldb::WriteBatch batch;
  for (int shard = 0; shard < kShards; ++shard) batch.Put(Key(shard, 500), "1");
  EXPECT_OK(db_->Write(Sync(false), &batch));
  Lose(kKilled);
  for (int shard = 0; shard < kShards; ++shard) {
    EXPECT_EQ(CountFirst(shard, 501), 501);
  }
}

TEST_F(DurabilityTest, ASyncedWriteCoversAllBeforeItInItsShard) {
  // About 120 writes fill a log. The power goes at the synced one, which may be
  // the first of a new log while the one before is still being written out.
  int first = 0;
  for (int round = 0; round < 40; ++round) {
    const int synced = first + 100 + round;
    RunThreads(kShards, [&](int shard) {
      for (int i = first; i <= synced; ++i) Put(shard, i, /*sync=*/i == synced);
    });
    Lose(kLost);
    for (int shard = 0; shard < kShards; ++shard) {
      for (int i = first; i <= synced; ++i) {
        EXPECT_TRUE(Has(shard, i)) << Key(shard, i);
      }
    }
    first = synced + 1;
  }
}

TEST_F(DurabilityTest, APowerLossUnderManyThreadsKeepsWhatWasSynced) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<int> acknowledged(2 * kShards, -1);
    RunThreads(2 * kShards, [&](int thread) {
      for (int i = 0; i < 100; ++i) {
        // One key for each thread, whose value is a count; the power fails
        // somewhere in the middle.
        if (thread == 0 && i == 20 + static_cast<int>(seed) * 10) {
          env_.CutPower();
        }
        leveldb::WriteBatch batch;
        for (int shard = 0; shard < kShards; ++shard) {
          batch.Put(absl::StrCat(shard, "thread", thread),
                    absl::StrCat(seed * 1000 + i));
        }
        if (!db_->Write(Sync(true), &batch).ok()) break;
        acknowledged[thread] = static_cast<int>(seed) * 1000 + i;
      }
    });
    Lose({PowerLoss::Unsynced::kRandom, seed});
    for (int thread = 0; thread < 2 * kShards; ++thread) {
      for (int shard = 0; shard < kShards && acknowledged[thread] >= 0;
           ++shard) {
        std::string value;
        int count = -1;
        EXPECT_OK(db_->Get(ReadOptions(), absl::StrCat(shard, "thread", thread),
                           &value));
        EXPECT_TRUE(absl::SimpleAtoi(value, &count));
        EXPECT_GE(count, acknowledged[thread]);
        EXPECT_LE(count, acknowledged[thread] + 1);
      }
    }
  }
}

}  // namespace
}  // namespace shardingdb
