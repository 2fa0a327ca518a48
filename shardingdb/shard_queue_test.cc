// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_queue.h"

#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fault_injecting_db_handle.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"
#include "testing/threads.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// An entry with what it points to.
struct OwnedEntry {
  explicit OwnedEntry(Waiter* waiter, const std::string& key,
                      const std::string& value) {
    batch.Put(key, value);
    entry.batch = &batch;
    entry.waiter = waiter;
  }
  leveldb::WriteBatch batch;
  QueueEntry entry;
};

class ShardQueueTest : public ::testing::Test {
 protected:
  std::string Get(const std::string& key) {
    std::string value;
    const leveldb::Status status = db_.Get(leveldb::ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }

  leveldb::Status Put(const std::string& key, const std::string& value) {
    Waiter waiter(1);
    OwnedEntry put(&waiter, key, value);
    queue_.Push(&put.entry);
    Await(waiter);
    return put.entry.status;
  }

  void Await(Waiter& waiter) {
    ShardQueue* const queue = &queue_;
    AwaitDone(waiter, absl::MakeConstSpan(&queue, 1));
  }

  // Runs `at_barrier` in the queue.
  void AtBarrier(absl::FunctionRef<void(size_t)> at_barrier) {
    Waiter waiter(1);
    QueueEntry barrier;
    barrier.at_barrier = &at_barrier;
    barrier.waiter = &waiter;
    queue_.Push(&barrier);
    Await(waiter);
  }

  ModelDb db_;
  ShardQueue queue_{&db_};
};

TEST_F(ShardQueueTest, AppliesAWrite) {
  EXPECT_OK(Put("key", "value"));
  EXPECT_EQ(Get("key"), "value");
}

TEST_F(ShardQueueTest, AppliesInTheOrderOfPushesWhatHasGatheredMeanwhile) {
  absl::Notification in_barrier, pushed;
  std::thread drainer([&] {
    AtBarrier([&](size_t) {
      in_barrier.Notify();
      pushed.WaitForNotification();
    });
  });
  in_barrier.WaitForNotification();
  Waiter waiter(100);
  std::vector<std::unique_ptr<OwnedEntry>> puts;
  for (int i = 0; i < 100; ++i) {
    puts.push_back(
        std::make_unique<OwnedEntry>(&waiter, "key", absl::StrCat(i)));
    queue_.Push(&puts.back()->entry);
    queue_.TryDrain();  // somebody else is at it
    EXPECT_FALSE(waiter.Done());
  }
  pushed.Notify();
  Await(waiter);
  drainer.join();
  EXPECT_EQ(Get("key"), "99");
}

TEST_F(ShardQueueTest, AHeldEntryHoldsBackAllBehindIt) {
  Waiter held_waiter(1), waiter(1);
  OwnedEntry held(&held_waiter, "key", "first"), next(&waiter, "key", "second");
  queue_.PushHeld(&held.entry);
  queue_.Push(&next.entry);
  queue_.TryDrain();
  EXPECT_FALSE(held_waiter.Done());
  EXPECT_FALSE(waiter.Done());
  EXPECT_THAT(Get("key"), HasSubstr("NotFound"));

  queue_.Announce(held.entry);
  queue_.TryDrain();
  EXPECT_FALSE(held_waiter.Done());

  queue_.Release(held.entry);
  queue_.TryDrain();
  EXPECT_TRUE(held_waiter.Done());
  EXPECT_TRUE(waiter.Done());
  EXPECT_EQ(Get("key"), "second");
}

TEST_F(ShardQueueTest, AReadWaitsForAnnouncedEntriesOnly) {
  Waiter waiter(1);
  OwnedEntry held(&waiter, "key", "value");
  queue_.PushHeld(&held.entry);
  queue_.AwaitAnnounced();  // returns: nobody can have seen the entry
  EXPECT_FALSE(waiter.Done());

  queue_.Announce(held.entry);
  queue_.Release(held.entry);
  queue_.AwaitAnnounced();  // applies it
  EXPECT_EQ(Get("key"), "value");
  EXPECT_TRUE(waiter.Done());
}

TEST_F(ShardQueueTest, AReaderSleepsUntilAnAnnouncedEntryIsReleased) {
  Waiter waiter(1);
  OwnedEntry held(&waiter, "key", "value");
  queue_.PushHeld(&held.entry);
  queue_.Announce(held.entry);
  std::thread reader([&] {
    queue_.AwaitAnnounced();
    EXPECT_EQ(Get("key"), "value");
  });
  queue_.Release(held.entry);
  queue_.TryDrain();
  reader.join();
  EXPECT_TRUE(waiter.Done());
}

TEST_F(ShardQueueTest, RefusesWritesFromTheBarrierOn) {
  EXPECT_OK(Put("key", "before"));
  AtBarrier([&](size_t) { queue_.SetReadOnlyAtBarrier(true); });
  EXPECT_TRUE(Put("key", "refused").IsNotSupportedError());
  EXPECT_EQ(Get("key"), "before");
  AtBarrier([&](size_t) { queue_.SetReadOnlyAtBarrier(false); });
  EXPECT_OK(Put("key", "after"));
  EXPECT_EQ(Get("key"), "after");
}

TEST_F(ShardQueueTest, EveryWriterOfAGroupGetsItsError) {
  ASSERT_OK(db_.Close());
  Waiter waiter(3);
  OwnedEntry a(&waiter, "a", "1"), b(&waiter, "b", "2"), c(&waiter, "c", "3");
  for (OwnedEntry* put : {&a, &b, &c}) queue_.Push(&put->entry);
  Await(waiter);
  for (OwnedEntry* put : {&a, &b, &c})
    EXPECT_TRUE(put->entry.status.IsIOError());
}

TEST_F(ShardQueueTest, ManyThreadsLoseNothing) {
  constexpr int kThreads = 16, kPuts = 400;
  RunThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kPuts; ++i) {
      const std::string key = absl::StrCat(thread, "-", i % 10);
      ASSERT_OK(Put(key, absl::StrCat(i)));
      ASSERT_EQ(Get(key), absl::StrCat(i));  // what is acknowledged is there
    }
  });
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int i = 0; i < 10; ++i)
      EXPECT_EQ(Get(absl::StrCat(thread, "-", i)),
                absl::StrCat(kPuts - 10 + i));
  }
}

// Whoever runs out of memory must not leave the others waiting for ever.
TEST(ShardQueueMemoryTest, MemoryThatRunsOutInAWriteIsAnErrorForAll) {
  const auto faults = std::make_shared<DbFaults>();
  FaultInjectingDbHandle db(std::make_unique<ModelDb>(), faults);
  ShardQueue queue(&db);
  ShardQueue* const queues[] = {&queue};
  faults->SetObserver([](DbCall call) {
    if (call == DbCall::kWrite) throw std::bad_alloc();
  });
  for (int round = 0; round < 2; ++round) {
    Waiter waiter(2);
    OwnedEntry one(&waiter, "a", "1");
    OwnedEntry other(&waiter, "b", "2");
    queue.Push(&one.entry);
    queue.Push(&other.entry);
    AwaitDone(waiter, queues);
    for (const QueueEntry* entry : {&one.entry, &other.entry}) {
      EXPECT_THAT(entry->status, LevelDbStatusIs(LevelDbCode::kIOError,
                                                 HasSubstr("memory ran out")));
    }
    faults->SetObserver(nullptr);  // later there is memory
  }
}

}  // namespace
}  // namespace shardingdb
