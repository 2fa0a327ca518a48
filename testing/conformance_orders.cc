// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: orders of keys other than the bytewise one.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "testing/comparators.h"
#include "testing/conformance_suite.h"
#include "testing/random_bytes.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST_P(DbHandleConformance, TheComparatorIsTheOneItWasOpenedWith) {
  EXPECT_STREQ(db()->comparator()->Name(),
               leveldb::BytewiseComparator()->Name());
  StartAgain(NumericComparator());
  EXPECT_STREQ(db()->comparator()->Name(), NumericComparator()->Name());
  EXPECT_LT(db()->comparator()->Compare("9", "10"), 0);
}

TEST_P(DbHandleConformance, TheOtherWayRound) {
  StartAgain(ReverseBytewiseComparator());
  for (const char* key : {"", "a", "b", "b\xff", "\xff\xff"}) Put(key, key);
  const auto expected = ElementsAre("\xff\xff", "b\xff", "b", "a", "");
  EXPECT_THAT(KeysOf(Contents()), expected);
  Reopen();
  db()->CompactRange(nullptr, nullptr);
  EXPECT_THAT(KeysOf(Contents()), expected);
  const auto iterator = NewIterator();
  iterator->Seek("b\1");
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->key().ToString(), "b");
  iterator->Prev();
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->key().ToString(), "b\xff");
  iterator->Seek("");
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->key().ToString(), "");
}

TEST_P(DbHandleConformance, InTheOrderOfNumbers) {
  StartAgain(NumericComparator());
  constexpr int kEntries = 2000;
  for (int i = 0; i < kEntries; ++i) {
    // In another order than theirs.
    const int number = i * 7 % kEntries;
    Put(absl::StrCat(number), RandomBytes(number, 100));
  }
  for (int i = 0; i < kEntries; i += 5) Delete(absl::StrCat(i));
  db()->CompactRange(nullptr, nullptr);
  Reopen();
  int expected = 1;
  for (const auto& [key, value] : Contents()) {
    ASSERT_EQ(key, absl::StrCat(expected));
    ASSERT_TRUE(value == RandomBytes(expected, 100));
    EXPECT_TRUE(Get(key) == value);
    expected += expected % 5 == 4 ? 2 : 1;
  }
  EXPECT_EQ(expected, kEntries + 1);
  const ScopedSnapshot snapshot(db());
  Put("0", "new");
  EXPECT_EQ(KeysOf(ScanBothWays(NewRangeIterator("", "2").get())),
            (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(
      KeysOf(ScanBothWays(NewRangeIterator("99", "103", snapshot.get()).get())),
      (std::vector<std::string>{"99", "101", "102"}));
}

}  // namespace
}  // namespace shardingdb
