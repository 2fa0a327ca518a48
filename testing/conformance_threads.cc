// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: calls from many threads at once.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "testing/conformance_suite.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"
#include "testing/threads.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::Status;
using ::leveldb::WriteOptions;

constexpr int kThreads = 8;
constexpr int kKeys = 10;

std::string KeyOf(int thread, int i) {
  return absl::StrCat("t", thread, ".", i);
}

// Values are a count, then filler that must be whole.
std::string ValueOf(int count) {
  return absl::StrCat(count, ":", std::string(count % 200, 'v'));
}

// The count of a value; fails the test for a value that was never written.
int CountOf(const Slice& value) {
  const absl::string_view text(value.data(), value.size());
  int count = -1;
  EXPECT_TRUE(absl::SimpleAtoi(text.substr(0, text.find(':')), &count));
  EXPECT_EQ(value.ToString(), ValueOf(count));
  return count;
}

// What one thread does with its own keys, which nobody else writes, and with
// all others' keys, whose counts it must never see going back.
class Worker {
 public:
  Worker(DbHandle* db, int thread)
      : db_(db),
        thread_(thread),
        random_(thread),
        own_(kKeys, -1),
        seen_(kThreads * kKeys, -1) {}

  void Run(int operations) {
    for (int count = 0; count < operations; ++count) {
      switch (random_() % 10) {
        case 0:
        case 1:
        case 2:
          PutOne(count);
          break;
        case 3:
          DeleteOne();
          break;
        case 4:
          WriteSome(count);
          break;
        case 5:
          CheckOwn();
          break;
        case 6:
          Scan();
          break;
        case 7:
          LookAtAll();
          break;
        case 8:
          ReadASnapshotTwice();
          break;
        default:
          LookAtOne();
      }
      if (count % 100 == 99 && thread_ == 0) {
        db_->CompactRange(nullptr, nullptr);
        db_->GetStats();
        std::string text;
        db_->GetProperty("leveldb.stats", &text);
      }
    }
    CheckOwn();
  }

 private:
  void PutOne(int count) {
    const int i = random_() % kKeys;
    EXPECT_OK(db_->Put(WriteOptions(), KeyOf(thread_, i), ValueOf(count)));
    own_[i] = count;
  }

  void DeleteOne() {
    const int i = random_() % kKeys;
    EXPECT_OK(db_->Delete(WriteOptions(), KeyOf(thread_, i)));
    own_[i] = -1;
  }

  void WriteSome(int count) {
    leveldb::WriteBatch batch;
    for (int j = 0; j < 4; ++j) {
      const int i = random_() % kKeys;
      batch.Put(KeyOf(thread_, i), ValueOf(count));
      own_[i] = count;
    }
    EXPECT_OK(db_->Write(WriteOptions(), &batch));
  }

  void CheckOwn() {
    for (int i = 0; i < kKeys; ++i) {
      std::string value;
      const Status status = db_->Get(ReadOptions(), KeyOf(thread_, i), &value);
      if (own_[i] < 0) {
        EXPECT_THAT(status, IsLevelDbNotFound());
      } else {
        EXPECT_OK(status);
        EXPECT_EQ(value, ValueOf(own_[i]));
      }
    }
  }

  void Saw(const Slice& key, const Slice& value) {
    int thread = -1;
    int i = -1;
    ASSERT_EQ(std::sscanf(key.ToString().c_str(), "t%d.%d", &thread, &i), 2);
    int& seen = seen_[thread * kKeys + i];
    const int count = CountOf(value);
    EXPECT_GE(count, seen) << key.ToString();
    seen = count;
  }

  void LookAtOne() {
    const std::string key = KeyOf(random_() % kThreads, random_() % kKeys);
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    if (status.ok()) {
      Saw(key, value);
    } else {
      EXPECT_THAT(status, IsLevelDbNotFound());
    }
  }

  void LookAtAll() {
    std::vector<std::string> names;
    for (int thread = 0; thread < kThreads; ++thread) {
      names.push_back(KeyOf(thread, random_() % kKeys));
    }
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<std::string> values;
    const std::vector<Status> statuses =
        db_->MultiGet(ReadOptions(), keys, &values);
    for (int thread = 0; thread < kThreads; ++thread) {
      if (statuses[thread].ok()) {
        Saw(names[thread], values[thread]);
      } else {
        EXPECT_THAT(statuses[thread], IsLevelDbNotFound());
      }
    }
  }

  void Scan() {
    const std::unique_ptr<leveldb::Iterator> iterator(
        db_->NewIterator(ReadOptions()));
    for (const auto& [key, value] : ScanForward(iterator.get())) {
      Saw(key, value);
    }
  }

  void ReadASnapshotTwice() {
    const ScopedSnapshot snapshot(db_);
    const std::unique_ptr<leveldb::Iterator> first(
        db_->NewIterator(At(snapshot.get())));
    const KeyValues entries = ScanForward(first.get());
    const auto second =
        db_->NewRangeIterator(At(snapshot.get()), leveldb::Range());
    EXPECT_TRUE(ScanBothWays(second.get()) == entries);
    for (const auto& [key, value] : entries) Saw(key, value);
  }

  DbHandle* const db_;
  const int thread_;
  std::mt19937 random_;
  std::vector<int> own_;   // the count of each own key; -1 where it has none
  std::vector<int> seen_;  // the highest count seen of every key
};

TEST_P(DbHandleConformance, ManyThreadsOfEveryOperation) {
  RunThreads(kThreads, [this](int thread) { Worker(db(), thread).Run(400); });
  EXPECT_EQ(db()->GetStats().open_iterators, 0u);
  EXPECT_EQ(db()->GetStats().open_snapshots, 0u);
  const KeyValues before = Contents();
  Reopen();
  EXPECT_EQ(Contents(), before);
}

TEST_P(DbHandleConformance, ReadOnlyMeansThatEveryWriteIsAppliedOrRefused) {
  constexpr int kRounds = 20;
  // Each writes 0, 1, 2, ... and stops at the first write that is refused, or
  // has had enough. The first thread has writes refused after a few of its own.
  std::vector<int> applied(kThreads, -1);
  for (int round = 0; round < kRounds; ++round) {
    ASSERT_OK(db()->SetReadOnly(false));
    const int last_of_first_thread = applied[0] + 1 + round % 5;
    KeyValues first;
    RunThreads(kThreads, [&](int thread) {
      const int enough = applied[thread] + 200;
      for (int count = applied[thread] + 1; count < enough; ++count) {
        leveldb::WriteBatch batch;
        batch.Put(KeyOf(thread, 0), ValueOf(count));
        batch.Put(KeyOf(thread, 1), ValueOf(count));
        const Status status = db()->Write(WriteOptions(), &batch);
        if (!status.ok()) {
          EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kNotSupported));
          break;
        }
        applied[thread] = count;
        if (thread == 0 && count == last_of_first_thread) {
          EXPECT_OK(db()->SetReadOnly(true));
          first = Contents();
        }
      }
    });
    EXPECT_EQ(Contents(), first) << "a write came after SetReadOnly returned";
    for (int thread = 0; thread < kThreads; ++thread) {
      for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(Get(KeyOf(thread, i)),
                  applied[thread] < 0 ? "(none)" : ValueOf(applied[thread]));
      }
    }
  }
}

}  // namespace
}  // namespace shardingdb
