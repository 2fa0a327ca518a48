// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: NewRangeIterator.

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "testing/comparators.h"
#include "testing/conformance_suite.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "10,20": the keys without their "k000".
std::string Keys(const KeyValues& entries) {
  std::string keys;
  for (const auto& entry : entries) {
    absl::StrAppend(&keys, keys.empty() ? "" : ",", entry.first.substr(4));
  }
  return keys;
}

std::string KeyAt(const leveldb::Iterator& iterator) {
  EXPECT_OK(iterator.status());
  return iterator.Valid() ? iterator.key().ToString() : "(end)";
}

TEST_P(DbHandleConformance, RangesHaveTheirStartAndNotTheirLimit) {
  for (int i = 10; i < 60; i += 10) Put(NumberedKey(i), absl::StrCat(i));
  const struct {
    int start;
    int limit;
    const char* keys;
  } kCases[] = {
      {20, 40, "20,30"}, {19, 41, "20,30,40"}, {21, 39, "30"},
      {20, 21, "20"},    {0, 10, ""},          {0, 11, "10"},
      {50, 99, "50"},    {51, 99, ""},         {20, 20, ""},
      {40, 20, ""},      {99, 0, ""},          {0, 99, "10,20,30,40,50"},
  };
  for (const auto& c : kCases) {
    const auto iterator =
        NewRangeIterator(NumberedKey(c.start), NumberedKey(c.limit));
    EXPECT_FALSE(iterator->Valid());
    EXPECT_EQ(Keys(ScanBothWays(iterator.get())), c.keys)
        << c.start << " to " << c.limit;
  }
}

TEST_P(DbHandleConformance, AnEmptySideOfARangeIsOpen) {
  for (int i = 10; i < 60; i += 10) Put(NumberedKey(i), absl::StrCat(i));
  EXPECT_EQ(Keys(ScanBothWays(NewRangeIterator("", NumberedKey(30)).get())),
            "10,20");
  EXPECT_EQ(Keys(ScanBothWays(NewRangeIterator(NumberedKey(30), "").get())),
            "30,40,50");
  EXPECT_EQ(Keys(ScanBothWays(NewRangeIterator("", "").get())),
            "10,20,30,40,50");
  Put("", "1");
  EXPECT_THAT(KeysOf(ScanBothWays(NewRangeIterator("", "k").get())),
              ElementsAre(""));
  EXPECT_THAT(
      KeysOf(ScanBothWays(NewRangeIterator(std::string(1, '\0'), "k").get())),
      IsEmpty());
}

TEST_P(DbHandleConformance, SeekStaysInTheRange) {
  for (int i = 10; i < 60; i += 10) Put(NumberedKey(i), absl::StrCat(i));
  const auto iterator = NewRangeIterator(NumberedKey(20), NumberedKey(50));
  iterator->Seek(NumberedKey(0));
  EXPECT_EQ(KeyAt(*iterator), NumberedKey(20));
  iterator->Seek("");
  EXPECT_EQ(KeyAt(*iterator), NumberedKey(20));
  iterator->Seek(NumberedKey(31));
  EXPECT_EQ(KeyAt(*iterator), NumberedKey(40));
  iterator->Seek(NumberedKey(41));
  EXPECT_EQ(KeyAt(*iterator), "(end)");
  iterator->Seek(NumberedKey(50));
  EXPECT_EQ(KeyAt(*iterator), "(end)");
  iterator->Seek(NumberedKey(70));
  EXPECT_EQ(KeyAt(*iterator), "(end)");
}

TEST_P(DbHandleConformance, StepsStayInTheRange) {
  for (int i = 10; i < 60; i += 10) Put(NumberedKey(i), absl::StrCat(i));
  const auto iterator = NewRangeIterator(NumberedKey(20), NumberedKey(50));
  iterator->SeekToLast();
  EXPECT_EQ(KeyAt(*iterator), NumberedKey(40));
  iterator->Next();
  EXPECT_EQ(KeyAt(*iterator), "(end)");
  iterator->SeekToFirst();
  EXPECT_EQ(KeyAt(*iterator), NumberedKey(20));
  iterator->Prev();
  EXPECT_EQ(KeyAt(*iterator), "(end)");
  iterator->SeekToFirst();
  iterator->Next();
  iterator->Next();
  EXPECT_EQ(KeyAt(*iterator), NumberedKey(40));
  iterator->Prev();
  iterator->Prev();
  EXPECT_EQ(KeyAt(*iterator), NumberedKey(20));
  iterator->Next();
  EXPECT_EQ(KeyAt(*iterator), NumberedKey(30));
}

TEST_P(DbHandleConformance, TheRangeIsCopied) {
  for (int i = 10; i < 60; i += 10) Put(NumberedKey(i), absl::StrCat(i));
  std::string start = NumberedKey(20);
  std::string limit = NumberedKey(40);
  const auto iterator = NewRangeIterator(start, limit);
  start = NumberedKey(0);
  limit = NumberedKey(99);
  EXPECT_EQ(Keys(ScanBothWays(iterator.get())), "20,30");
}

TEST_P(DbHandleConformance, RangesShowOneMomentToo) {
  for (int i = 10; i < 60; i += 10) Put(NumberedKey(i), absl::StrCat(i));
  const ScopedSnapshot snapshot(db());
  const auto made_before = NewRangeIterator(NumberedKey(20), NumberedKey(50));
  Put(NumberedKey(25), "25");
  Delete(NumberedKey(30));
  EXPECT_EQ(Keys(ScanBothWays(made_before.get())), "20,30,40");
  EXPECT_EQ(Keys(ScanBothWays(NewRangeIterator(NumberedKey(20), NumberedKey(50),
                                               snapshot.get())
                                  .get())),
            "20,30,40");
  EXPECT_EQ(Keys(ScanBothWays(
                NewRangeIterator(NumberedKey(20), NumberedKey(50)).get())),
            "20,25,40");
}

TEST_P(DbHandleConformance, RangesFollowTheComparator) {
  StartAgain(ReverseBytewiseComparator());
  for (int i = 10; i < 60; i += 10) Put(NumberedKey(i), absl::StrCat(i));
  EXPECT_EQ(Keys(ScanBothWays(
                NewRangeIterator(NumberedKey(40), NumberedKey(20)).get())),
            "40,30");
  EXPECT_EQ(Keys(ScanBothWays(
                NewRangeIterator(NumberedKey(20), NumberedKey(40)).get())),
            "");
  EXPECT_EQ(Keys(ScanBothWays(NewRangeIterator(NumberedKey(30), "").get())),
            "30,20,10");
  EXPECT_EQ(Keys(ScanBothWays(NewRangeIterator("", NumberedKey(30)).get())),
            "50,40");
}

}  // namespace
}  // namespace shardingdb
