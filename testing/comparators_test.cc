// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/comparators.h"

#include <cstddef>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/slice.h"

namespace shardingdb {
namespace {

// Every pair compares as the places in `sorted` say.
void ExpectOrder(const leveldb::Comparator* comparator,
                 const std::vector<std::string>& sorted) {
  for (size_t i = 0; i < sorted.size(); ++i) {
    for (size_t j = 0; j < sorted.size(); ++j) {
      const int order = comparator->Compare(sorted[i], sorted[j]);
      EXPECT_EQ(order < 0, i < j) << sorted[i] << " and " << sorted[j];
      EXPECT_EQ(order > 0, i > j) << sorted[i] << " and " << sorted[j];
    }
  }
}

TEST(ComparatorsTest, ReverseBytewise) {
  ExpectOrder(ReverseBytewiseComparator(),
              {"\xff\xff", "\xff", "b", "a\1", "a", ""});
}

TEST(ComparatorsTest, Numeric) {
  ExpectOrder(NumericComparator(),
              {"", "0", "2", "9", "10", "11", "99", "100", "1000"});
}

TEST(ComparatorsTest, ShortenedKeysKeepTheirPlace) {
  for (const leveldb::Comparator* comparator :
       {ReverseBytewiseComparator(), NumericComparator()}) {
    std::string key = "1234567";
    comparator->FindShortSuccessor(&key);
    EXPECT_EQ(key, "1234567");
    comparator->FindShortestSeparator(&key, "3");
    EXPECT_EQ(key, "1234567");
  }
}

}  // namespace
}  // namespace shardingdb
