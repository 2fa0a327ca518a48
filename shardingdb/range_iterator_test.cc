// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/range_iterator.h"

#include <memory>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "shardingdb/iterator_test_support.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

// The entries of `map` that lie in [start, limit).
ModelMap Part(const ModelMap& map, const std::string& start,
              const std::string& limit) {
  const auto before = map.key_comp();
  ModelMap part(before);
  for (const auto& [key, value] : map) {
    if (!start.empty() && before(key, start)) continue;
    if (!limit.empty() && !before(key, limit)) continue;
    part.emplace(key, value);
  }
  return part;
}

std::unique_ptr<leveldb::Iterator> Bounded(const ModelMap& map,
                                           const std::string& start,
                                           const std::string& limit) {
  return NewBoundedIterator(std::make_unique<MapIterator>(&map),
                            map.key_comp().comparator,
                            leveldb::Range(start, limit));
}

class RangeIteratorTest
    : public ::testing::TestWithParam<const leveldb::Comparator*> {};

TEST_P(RangeIteratorTest, EveryTurnIsThatOfAMap) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    ModelMap map{ModelOrder{GetParam()}};
    const int size = static_cast<int>(random() % 20);
    for (int i = 0; i < size; ++i) {
      map[RandomKey(random)] = absl::StrCat("value", i);
    }
    const std::string start = random() % 4 == 0 ? "" : RandomKey(random);
    const std::string limit = random() % 4 == 0 ? "" : RandomKey(random);
    SCOPED_TRACE(absl::StrCat("range [", start, ", ", limit, ")"));
    const ModelMap part = Part(map, start, limit);
    const auto iterator = Bounded(map, start, limit);
    CompareRandomMoves(random, part, 100, iterator.get());
    EXPECT_OK(iterator->status());
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, RangeIteratorTest,
                         ::testing::Values(leveldb::BytewiseComparator(),
                                           ReverseComparator()));

TEST(RangeIteratorEdgeTest, RangesWithoutEntries) {
  const ModelMap map = {{"b", "1"}, {"d", "2"}};
  for (const auto& [start, limit] : {std::pair("b", "b"),
                                     {"d", "b"},
                                     {"c", "d"},
                                     {"e", ""},
                                     {"", "b"},
                                     {"e", "a"}}) {
    const auto iterator = Bounded(map, start, limit);
    EXPECT_FALSE(iterator->Valid());
    iterator->SeekToFirst();
    EXPECT_FALSE(iterator->Valid()) << start << " " << limit;
    iterator->SeekToLast();
    EXPECT_FALSE(iterator->Valid()) << start << " " << limit;
    for (const char* key : {"a", "b", "c", "d", "e"}) {
      iterator->Seek(key);
      EXPECT_FALSE(iterator->Valid()) << start << " " << limit << " " << key;
    }
    EXPECT_OK(iterator->status());
  }
}

TEST(RangeIteratorEdgeTest, TheEmptyKeyAndZeroBytes) {
  const std::string zero(1, '\0');
  const ModelMap map = {{"", "empty"}, {zero, "zero"}, {zero + "a", "a"}};
  const auto all = Bounded(map, "", "");
  all->SeekToFirst();
  ASSERT_TRUE(all->Valid());
  EXPECT_EQ(all->value(), "empty");
  const auto only_empty = Bounded(map, "", zero);
  only_empty->SeekToLast();
  ASSERT_TRUE(only_empty->Valid());
  EXPECT_EQ(only_empty->value(), "empty");
  only_empty->Next();
  EXPECT_FALSE(only_empty->Valid());
  const auto rest = Bounded(map, zero, "");
  rest->Seek("");
  ASSERT_TRUE(rest->Valid());
  EXPECT_EQ(rest->value(), "zero");
}

TEST(RangeIteratorEdgeTest, TheRangeIsCopied) {
  const ModelMap map = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  std::string start = "b";
  std::string limit = "c";
  const auto iterator = NewBoundedIterator(std::make_unique<MapIterator>(&map),
                                           map.key_comp().comparator,
                                           leveldb::Range(start, limit));
  start = limit = "x";
  iterator->SeekToFirst();
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->key(), "b");
  iterator->Next();
  EXPECT_FALSE(iterator->Valid());
}

TEST(RangeIteratorEdgeTest, PassesTheStatusOfTheBaseOn) {
  const ModelMap map = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  for (int moves = 0; moves < 3; ++moves) {
    const auto iterator =
        NewBoundedIterator(std::make_unique<FailingIterator>(
                               std::make_unique<MapIterator>(&map), moves,
                               leveldb::Status::Corruption("bad block")),
                           map.key_comp().comparator, leveldb::Range("a", "z"));
    int seen = 0;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) ++seen;
    EXPECT_EQ(seen, moves);
    EXPECT_THAT(iterator->status(),
                LevelDbStatusIs(LevelDbCode::kCorruption, "bad block"));
  }
}

// Seek(limit) failed, which is not the same as no entry behind the limit.
TEST(RangeIteratorEdgeTest, SeekToLastDoesNotPassOverAFailure) {
  const ModelMap map = {{"a", "1"}, {"b", "2"}, {"z", "3"}};
  const auto iterator = NewBoundedIterator(
      std::make_unique<FailingIterator>(std::make_unique<MapIterator>(&map), 0,
                                        leveldb::Status::IOError("disk")),
      map.key_comp().comparator, leveldb::Range("", "c"));
  iterator->SeekToLast();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_THAT(iterator->status(),
              LevelDbStatusIs(LevelDbCode::kIOError, "disk"));
}

}  // namespace
}  // namespace shardingdb
