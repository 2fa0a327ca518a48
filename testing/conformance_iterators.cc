// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: iterators over everything.

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "testing/conformance_suite.h"
#include "testing/random_bytes.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::leveldb::Iterator;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// "key=value", or "(end)" where the iterator is not valid.
std::string Place(const Iterator& iterator) {
  EXPECT_OK(iterator.status());
  if (!iterator.Valid()) return "(end)";
  return absl::StrCat(iterator.key().ToString(), "=",
                      iterator.value().ToString());
}

TEST_P(DbHandleConformance, IteratorsStartInvalid) {
  Put("a", "1");
  EXPECT_EQ(Place(*NewIterator()), "(end)");
}

TEST_P(DbHandleConformance, IteratorsOverNothing) {
  const auto iterator = NewIterator();
  iterator->SeekToFirst();
  EXPECT_EQ(Place(*iterator), "(end)");
  iterator->SeekToLast();
  EXPECT_EQ(Place(*iterator), "(end)");
  iterator->Seek("");
  EXPECT_EQ(Place(*iterator), "(end)");
  iterator->Seek("a");
  EXPECT_EQ(Place(*iterator), "(end)");
}

TEST_P(DbHandleConformance, IteratorsOverOneEntry) {
  Put("b", "1");
  const auto iterator = NewIterator();
  for (const char* before_or_at : {"", "a", "b"}) {
    iterator->Seek(before_or_at);
    EXPECT_EQ(Place(*iterator), "b=1");
    iterator->Next();
    EXPECT_EQ(Place(*iterator), "(end)");
  }
  iterator->Seek("b\1");
  EXPECT_EQ(Place(*iterator), "(end)");
  iterator->SeekToFirst();
  EXPECT_EQ(Place(*iterator), "b=1");
  iterator->Prev();
  EXPECT_EQ(Place(*iterator), "(end)");
  iterator->SeekToLast();
  EXPECT_EQ(Place(*iterator), "b=1");
  iterator->Next();
  EXPECT_EQ(Place(*iterator), "(end)");
  iterator->SeekToLast();
  iterator->Prev();
  EXPECT_EQ(Place(*iterator), "(end)");
}

TEST_P(DbHandleConformance, SeekGoesToTheFirstKeyNotBefore) {
  for (int i = 10; i < 50; i += 10) Put(NumberedKey(i), absl::StrCat(i));
  const auto iterator = NewIterator();
  for (int i = 0; i <= 40; ++i) {
    iterator->Seek(NumberedKey(i));
    const int expected = i <= 10 ? 10 : (i + 9) / 10 * 10;
    EXPECT_EQ(Place(*iterator),
              absl::StrCat(NumberedKey(expected), "=", expected));
  }
  iterator->Seek(NumberedKey(41));
  EXPECT_EQ(Place(*iterator), "(end)");
  iterator->Seek(std::string(3, '\xff'));
  EXPECT_EQ(Place(*iterator), "(end)");
}

TEST_P(DbHandleConformance, EveryTurnOfDirection) {
  constexpr int kEntries = 20;
  for (int i = 0; i < kEntries; ++i) Put(NumberedKey(i), absl::StrCat(i));
  const auto place = [](int i) {
    if (i < 0 || i >= kEntries) return std::string("(end)");
    return absl::StrCat(NumberedKey(i), "=", i);
  };
  const auto iterator = NewIterator();
  // From each entry there are 16 ways of four steps.
  for (int start = 0; start < kEntries; ++start) {
    for (int way = 0; way < 16; ++way) {
      int at = start;
      iterator->Seek(NumberedKey(start));
      for (int step = 0; step < 4 && iterator->Valid(); ++step) {
        if ((way >> step) % 2 == 0) {
          iterator->Next();
          ++at;
        } else {
          iterator->Prev();
          --at;
        }
        ASSERT_EQ(Place(*iterator), place(at)) << start << " way " << way;
      }
    }
  }
  // As far as it goes and back, after each way of getting there.
  iterator->SeekToFirst();
  for (int i = 0; i < kEntries - 1; ++i) iterator->Next();
  for (int i = kEntries - 1; i >= 0; --i) {
    ASSERT_EQ(Place(*iterator), place(i));
    iterator->Prev();
  }
  EXPECT_EQ(Place(*iterator), "(end)");
  iterator->SeekToLast();
  for (int i = 0; i < kEntries - 1; ++i) iterator->Prev();
  for (int i = 0; i < kEntries; ++i) {
    ASSERT_EQ(Place(*iterator), place(i));
    iterator->Next();
  }
  EXPECT_EQ(Place(*iterator), "(end)");
}

TEST_P(DbHandleConformance, IteratorsStepOverDeletedEntries) {
  for (int i = 0; i < 100; ++i) Put(NumberedKey(i), absl::StrCat(i));
  for (int i = 0; i < 100; ++i) {
    if (i % 10 != 5) Delete(NumberedKey(i));
  }
  const KeyValues entries = Contents();
  ASSERT_EQ(entries.size(), 10u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(entries[i].first, NumberedKey(10 * i + 5));
  }
  const auto iterator = NewIterator();
  iterator->Seek(NumberedKey(40));
  EXPECT_EQ(Place(*iterator), "k00045=45");
  iterator->Prev();
  EXPECT_EQ(Place(*iterator), "k00035=35");
  iterator->Next();
  EXPECT_EQ(Place(*iterator), "k00045=45");
}

TEST_P(DbHandleConformance, IteratorsShowWhatWasThereWhenTheyWereMade) {
  for (int i = 0; i < 20; ++i) Put(NumberedKey(i), "old");
  const KeyValues before = Contents();
  const auto untouched = NewIterator();
  const auto begun = NewIterator();
  begun->SeekToFirst();

  leveldb::WriteBatch batch;
  for (int i = 0; i < 20; i += 2) batch.Delete(NumberedKey(i));
  for (int i = 1; i < 20; i += 2) batch.Put(NumberedKey(i), "new");
  for (int i = 20; i < 40; ++i) batch.Put(NumberedKey(i), "new");
  EXPECT_OK(db()->Write(leveldb::WriteOptions(), &batch));
  db()->CompactRange(nullptr, nullptr);

  EXPECT_EQ(ScanBothWays(untouched.get()), before);
  int count = 0;
  for (; begun->Valid(); begun->Next()) {
    EXPECT_EQ(Place(*begun), absl::StrCat(NumberedKey(count++), "=old"));
  }
  EXPECT_EQ(count, 20);
  EXPECT_EQ(ScanBothWays(begun.get()), before);
  EXPECT_EQ(ScanBothWays(NewIterator().get()).size(), 30u);
}

TEST_P(DbHandleConformance, IteratorsOfManyMoments) {
  std::vector<std::unique_ptr<Iterator>> iterators;
  for (int i = 0; i < 20; ++i) {
    iterators.push_back(NewIterator());
    Put(NumberedKey(i), absl::StrCat(i));
    Put("moment", absl::StrCat(i));
  }
  for (int i = 19; i >= 0; --i) {
    const KeyValues entries = ScanBothWays(iterators[i].get());
    if (i == 0) {
      EXPECT_THAT(entries, IsEmpty());
    } else {
      ASSERT_EQ(entries.size(), size_t(i + 1));
      EXPECT_THAT(entries.back(), Pair("moment", absl::StrCat(i - 1)));
    }
    iterators.pop_back();
  }
}

TEST_P(DbHandleConformance, KeyAndValueStayUntilTheNextStep) {
  Put("a", "1");
  Put("b", std::string(100000, 'b'));
  const auto iterator = NewIterator();
  iterator->SeekToFirst();
  const leveldb::Slice key = iterator->key();
  const leveldb::Slice value = iterator->value();
  for (int i = 0; i < 100; ++i) Put(NumberedKey(i), RandomBytes(i, 1000));
  Put("a", "2");
  EXPECT_EQ(Get("b").size(), 100000u);
  EXPECT_EQ(key.ToString(), "a");
  EXPECT_EQ(value.ToString(), "1");
  EXPECT_EQ(iterator->value().ToString(), "1");
}

TEST_P(DbHandleConformance, ALongScan) {
  constexpr int kEntries = 5000;
  const std::string filler = RandomBytes(5, 300);
  for (int i = kEntries - 1; i >= 0; --i) {
    Put(NumberedKey(i), absl::StrCat(i, filler));
  }
  const auto expect_all = [&] {
    const KeyValues entries = Contents();
    ASSERT_EQ(entries.size(), size_t{kEntries});
    for (int i = 0; i < kEntries; ++i) {
      ASSERT_EQ(entries[i].first, NumberedKey(i));
      ASSERT_EQ(entries[i].second, absl::StrCat(i, filler));
    }
  };
  expect_all();
  db()->CompactRange(nullptr, nullptr);
  expect_all();
  Reopen();
  expect_all();
}

TEST_P(DbHandleConformance, CleanupsRunWhenTheIteratorGoes) {
  int cleaned = 0;
  const auto clean = [](void* count, void*) { ++*static_cast<int*>(count); };
  auto iterator = NewIterator();
  iterator->RegisterCleanup(clean, &cleaned, nullptr);
  iterator->RegisterCleanup(clean, &cleaned, nullptr);
  iterator->SeekToFirst();
  EXPECT_EQ(cleaned, 0);
  iterator.reset();
  EXPECT_EQ(cleaned, 2);
}

}  // namespace
}  // namespace shardingdb
