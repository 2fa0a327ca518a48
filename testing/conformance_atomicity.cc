// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: whole batches, one order of writes that all readers
// agree on, no effect without its cause.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "testing/conformance_suite.h"
#include "testing/random_bytes.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"
#include "testing/threads.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::Snapshot;
using ::leveldb::Status;
using ::leveldb::WriteBatch;
using ::leveldb::WriteOptions;

// Enough to lie in several shards.
constexpr int kKeys = 8;

// Reads keys that hold numbers. A key that is not there reads as -1.
class Reader {
 public:
  explicit Reader(DbHandle* db) : db_(db) {
    for (int i = 0; i < kKeys; ++i) names_.push_back(NumberedKey(i));
  }

  std::vector<int> ByMultiGet(const Snapshot* snapshot = nullptr) {
    const std::vector<Slice> keys(names_.begin(), names_.end());
    std::vector<std::string> values;
    const std::vector<Status> statuses =
        db_->MultiGet(At(snapshot), keys, &values);
    std::vector<int> numbers;
    for (int i = 0; i < kKeys; ++i) {
      numbers.push_back(Number(statuses[i], values[i]));
    }
    return numbers;
  }

  std::vector<int> ByGets(const Snapshot* snapshot = nullptr) {
    std::vector<int> numbers;
    for (int i = 0; i < kKeys; ++i) numbers.push_back(Get(i, snapshot));
    return numbers;
  }

  std::vector<int> ByIterator(bool backwards,
                              const Snapshot* snapshot = nullptr) {
    std::vector<int> numbers(kKeys, -1);
    const std::unique_ptr<leveldb::Iterator> iterator(
        db_->NewIterator(At(snapshot)));
    for (const auto& [key, value] : backwards ? ScanBackward(iterator.get())
                                              : ScanForward(iterator.get())) {
      const auto name = std::find(names_.begin(), names_.end(), key);
      if (name == names_.end()) continue;
      numbers[name - names_.begin()] = Number(Status::OK(), value);
    }
    return numbers;
  }

  int Get(int i, const Snapshot* snapshot = nullptr) {
    std::string value;
    const Status status = db_->Get(At(snapshot), names_[i], &value);
    return Number(status, value);
  }

  // The same by every way there is, all of one moment each.
  std::vector<std::vector<int>> ByEveryWay() {
    std::vector<std::vector<int>> all = {ByMultiGet(), ByIterator(false),
                                         ByIterator(true)};
    const ScopedSnapshot snapshot(db_);
    all.push_back(ByGets(snapshot.get()));
    all.push_back(ByMultiGet(snapshot.get()));
    all.push_back(ByIterator(false, snapshot.get()));
    EXPECT_EQ(all[3], all[4]);
    EXPECT_EQ(all[3], all[5]);
    return all;
  }

 private:
  static int Number(const Status& status, const std::string& value) {
    if (status.IsNotFound()) return -1;
    EXPECT_OK(status);
    int number = -2;
    EXPECT_TRUE(absl::SimpleAtoi(value, &number)) << value;
    return number;
  }

  DbHandle* const db_;
  std::vector<std::string> names_;
};

// Puts `number` to each key, or deletes each.
WriteBatch BatchOf(int number) {
  WriteBatch batch;
  for (int i = 0; i < kKeys; ++i) {
    if (number < 0) {
      batch.Delete(NumberedKey(i));
    } else {
      batch.Put(NumberedKey(i), absl::StrCat(number));
    }
  }
  return batch;
}

bool AllEqual(const std::vector<int>& numbers) {
  return std::count(numbers.begin(), numbers.end(), numbers[0]) ==
         static_cast<int>(numbers.size());
}

TEST_P(DbHandleConformance, NobodySeesAPartOfABatch) {
  constexpr int kWriters = 4;
  constexpr int kBatches = 250;
  RunThreadsWatched(
      kWriters,
      [this](int writer) {
        for (int i = 0; i < kBatches; ++i) {
          // Now and then all keys go.
          WriteBatch batch = BatchOf(i % 10 == 9 ? -1 : i * kWriters + writer);
          WriteOptions options;
          options.sync = i % 50 == 0;
          EXPECT_OK(db()->Write(options, &batch));
        }
      },
      [this] {
        for (const auto& numbers : Reader(db()).ByEveryWay()) {
          EXPECT_TRUE(AllEqual(numbers)) << ::testing::PrintToString(numbers);
        }
      });
  Reopen();
  EXPECT_TRUE(AllEqual(Reader(db()).ByMultiGet()));
}

TEST_P(DbHandleConformance, NobodySeesAPartOfALargeBatch) {
  // Several writes wait while one of these is under way.
  const std::string filler = RandomBytes(1, 200000);
  RunThreadsWatched(
      3,
      [&](int writer) {
        for (int i = 0; i < 20; ++i) {
          WriteBatch batch;
          for (int k = 0; k < kKeys; ++k) {
            batch.Put(absl::StrCat("filler", writer, ".", k), filler);
            batch.Put(NumberedKey(k), absl::StrCat(i * 3 + writer));
          }
          EXPECT_OK(db()->Write(WriteOptions(), &batch));
        }
      },
      [this] {
        const std::vector<int> numbers = Reader(db()).ByMultiGet();
        EXPECT_TRUE(AllEqual(numbers)) << ::testing::PrintToString(numbers);
      });
}

TEST_P(DbHandleConformance, WhoHasSeenAPartOfABatchSeesAllOfIt) {
  // Gets one after another are not of one moment, but the number of no key may
  // be lower than one that the reader has seen before.
  constexpr int kReaders = 3;
  std::atomic<bool> done{false};
  RunThreads(1 + kReaders, [&](int thread) {
    if (thread == 0) {
      for (int number = 0; number < 1000; ++number) {
        WriteBatch batch = BatchOf(number);
        EXPECT_OK(db()->Write(WriteOptions(), &batch));
      }
      done = true;
      return;
    }
    Reader reader(db());
    int seen = -1;
    for (int i = 0; !done; i = (i + thread) % kKeys) {
      const int number = reader.Get(i);
      EXPECT_GE(number, seen);
      seen = number;
      if (i == 0) {
        const std::vector<int> numbers = reader.ByMultiGet();
        EXPECT_TRUE(AllEqual(numbers));
        EXPECT_GE(numbers[0], seen);
        seen = numbers[0];
      }
    }
  });
}

TEST_P(DbHandleConformance, OverlappingBatchesHaveOneOrder) {
  // Writers write keys 0 and 1, keys 1 and 2, or keys 2 and 0. At any moment
  // the batch that came last has both of its keys, so never has each lost one
  // to another.
  constexpr int kRing = 3;
  const auto expect_a_last_one = [](const std::vector<int>& numbers) {
    int with_both = 0;
    for (int first = 0; first < kRing; ++first) {
      if (numbers[first] == numbers[(first + 1) % kRing]) ++with_both;
    }
    EXPECT_GE(with_both, 1) << ::testing::PrintToString(numbers);
  };
  RunThreadsWatched(
      2 * kRing,
      [this](int writer) {
        const int first = writer % kRing;
        for (int i = 0; i < 200; ++i) {
          WriteBatch batch;
          const std::string number = absl::StrCat(i * 2 * kRing + writer);
          batch.Put(NumberedKey(first), number);
          batch.Put(NumberedKey((first + 1) % kRing), number);
          EXPECT_OK(db()->Write(WriteOptions(), &batch));
        }
      },
      [this, &expect_a_last_one] {
        expect_a_last_one(Reader(db()).ByMultiGet());
        const ScopedSnapshot snapshot(db());
        expect_a_last_one(Reader(db()).ByIterator(false, snapshot.get()));
      });
  Reopen();
  expect_a_last_one(Reader(db()).ByMultiGet());
}

TEST_P(DbHandleConformance, NoEffectWithoutItsCause) {
  // Key 1 is written after the write of key 0 was acknowledged, key 2 by
  // another thread once that has read key 1 (acknowledged or not), and so on:
  // at any moment the numbers fall from key to key.
  constexpr int kNumbers = 600;
  RunThreadsWatched(
      4,
      [this](int thread) {
        Reader reader(db());
        int number = 0;
        while (number < kNumbers && !HasFailure()) {
          const int cause =
              thread == 0 ? number + 1 : reader.Get(2 * thread - 1);
          if (cause <= number) {
            std::this_thread::yield();
            continue;
          }
          number = cause;
          EXPECT_OK(db()->Put(WriteOptions(), NumberedKey(2 * thread),
                              absl::StrCat(number)));
          EXPECT_OK(db()->Put(WriteOptions(), NumberedKey(2 * thread + 1),
                              absl::StrCat(number)));
        }
      },
      [this] {
        for (const auto& numbers : Reader(db()).ByEveryWay()) {
          EXPECT_TRUE(std::is_sorted(numbers.rbegin(), numbers.rend()))
              << ::testing::PrintToString(numbers);
        }
      });
}

TEST_P(DbHandleConformance, NoEffectWithoutAllOfTheBatchThatCausedIt) {
  // One thread writes batches to all keys but the last. Another copies what it
  // sees of them to the last key.
  constexpr int kNumbers = 500;
  RunThreadsWatched(
      2,
      [this](int thread) {
        Reader reader(db());
        if (thread == 0) {
          for (int number = 0; number < kNumbers; ++number) {
            WriteBatch batch;
            for (int i = 0; i < kKeys - 1; ++i) {
              batch.Put(NumberedKey(i), absl::StrCat(number));
            }
            EXPECT_OK(db()->Write(WriteOptions(), &batch));
          }
          return;
        }
        int copied = -1;
        for (int i = 0; copied < kNumbers - 1 && !HasFailure();
             i = (i + 1) % (kKeys - 1)) {
          const int number = reader.Get(i);
          EXPECT_GE(number, copied);
          if (number <= copied) continue;
          copied = number;
          EXPECT_OK(db()->Put(WriteOptions(), NumberedKey(kKeys - 1),
                              absl::StrCat(number)));
        }
      },
      [this] {
        for (const auto& numbers : Reader(db()).ByEveryWay()) {
          EXPECT_TRUE(AllEqual({numbers.begin(), numbers.end() - 1}))
              << ::testing::PrintToString(numbers);
          EXPECT_LE(numbers.back(), numbers.front());
        }
      });
}

}  // namespace
}  // namespace shardingdb
