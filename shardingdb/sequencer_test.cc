// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sequencer.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"
#include "testing/threads.h"

namespace shardingdb {
namespace {

constexpr int kShards = 4;

class SequencerTest : public ::testing::Test {
 protected:
  SequencerTest() {
    for (int i = 0; i < kShards; ++i) {
      dbs_.push_back(std::make_unique<ModelDb>());
      queues_.push_back(std::make_unique<ShardQueue>(dbs_.back().get()));
    }
  }

  // Writes `value` under "key" to each of `shards`, as one operation.
  void Write(const std::vector<int>& shards, const std::string& value) {
    leveldb::WriteBatch batch;
    batch.Put("key", value);
    MultiShardOperation operation(static_cast<uint32_t>(shards.size()));
    for (int shard : shards)
      operation.AddWrite(queues_[shard].get(), &batch, false);
    EXPECT_OK(sequencer_.Submit(operation));
    operation.Await();
    for (const QueueEntry& entry : operation.entries()) ASSERT_OK(entry.status);
  }

  std::string Get(int shard) {
    std::string value;
    queues_[shard]->AwaitAnnounced();
    const leveldb::Status status =
        dbs_[shard]->Get(leveldb::ReadOptions(), "key", &value);
    return status.ok()           ? value
           : status.IsNotFound() ? "NotFound"
                                 : status.ToString();
  }

  // What all shards hold at one point of the order.
  std::vector<std::string> Cut() {
    std::vector<std::string> values(kShards);
    const auto read = [&](size_t shard) {
      static_cast<void>(
          dbs_[shard]->Get(leveldb::ReadOptions(), "key", &values[shard]));
    };
    const absl::FunctionRef<void(size_t)> at_barrier = read;
    MultiShardOperation operation(kShards);
    for (const auto& queue : queues_)
      operation.AddBarrier(queue.get(), &at_barrier);
    EXPECT_OK(sequencer_.Submit(operation));
    operation.Await();
    return values;
  }

  std::vector<std::unique_ptr<ModelDb>> dbs_;
  std::vector<std::unique_ptr<ShardQueue>> queues_;
  Sequencer sequencer_;
};

TEST_F(SequencerTest, WritesEveryPart) {
  Write({0, 2}, "value");
  EXPECT_EQ(Get(0), "value");
  EXPECT_EQ(Get(2), "value");
  EXPECT_EQ(Get(1), "NotFound");
}

TEST_F(SequencerTest, OperationsThatMeetInSeveralShardsMeetInOneOrder) {
  for (int round = 0; round < 200; ++round) {
    RunThreads(8, [&](int thread) {
      // Each names the shards in another order.
      std::vector<int> shards;
      for (int i = 0; i < kShards; ++i)
        shards.push_back((i + thread) % kShards);
      Write(shards, absl::StrCat(round, "-", thread));
    });
    for (int shard = 1; shard < kShards; ++shard) ASSERT_EQ(Get(shard), Get(0));
  }
}

TEST_F(SequencerTest, ABarrierSeesEveryOperationWholeOrNotAtAll) {
  Write({0, 1, 2, 3}, "start");
  RunThreadsWatched(
      4,
      [&](int thread) {
        for (int i = 0; i < 5000; ++i)
          Write({0, 1, 2, 3}, absl::StrCat(thread, "-", i));
      },
      [&] {
        const std::vector<std::string> values = Cut();
        for (const std::string& value : values) ASSERT_EQ(value, values[0]);
      });
}

TEST_F(SequencerTest, WhoHasSeenAPartSeesTheRest) {
  // One writer counts up in shards 0 and 3. A reader that sees a number in one
  // shard must find at least that in the other.
  Write({0, 3}, "0");
  RunThreadsWatched(
      1,
      [&](int) {
        for (int i = 1; i <= 20000; ++i) Write({0, 3}, absl::StrCat(i));
      },
      [&] {
        const int in_first = std::stoi(Get(0));
        const int in_last = std::stoi(Get(3));
        const int in_first_again = std::stoi(Get(0));
        ASSERT_GE(in_last, in_first);
        ASSERT_GE(in_first_again, in_last);
      });
}

}  // namespace
}  // namespace shardingdb
