// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/merging_iterator.h"

#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "leveldb/status.h"
#include "shardingdb/iterator_test_support.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using Iterators = std::vector<std::unique_ptr<leveldb::Iterator>>;

Iterators Over(const std::vector<ModelMap>& shards) {
  Iterators children;
  for (const ModelMap& shard : shards) {
    children.push_back(std::make_unique<MapIterator>(&shard));
  }
  return children;
}

// "a=1 b=2 ", walking from where `iterator` is.
std::string Forwards(leveldb::Iterator* iterator) {
  std::string text;
  for (; iterator->Valid(); iterator->Next()) {
    absl::StrAppend(&text, iterator->key().ToString(), "=",
                    iterator->value().ToString(), " ");
  }
  return text;
}

std::string Backwards(leveldb::Iterator* iterator) {
  std::string text;
  for (; iterator->Valid(); iterator->Prev()) {
    absl::StrAppend(&text, iterator->key().ToString(), "=",
                    iterator->value().ToString(), " ");
  }
  return text;
}

struct Layout {
  size_t children;
  const leveldb::Comparator* comparator;
};

class MergingIteratorTest : public ::testing::TestWithParam<Layout> {
 protected:
  MergingIteratorTest() : model_(ModelOrder{GetParam().comparator}) {}

  // Spreads `size` entries over the children; some stay empty.
  void Fill(int size) {
    model_.clear();
    shards_.assign(GetParam().children,
                   ModelMap(ModelOrder{GetParam().comparator}));
    for (int i = 0; i < size; ++i) {
      const std::string key = RandomKey(random_);
      if (!model_.emplace(key, absl::StrCat("value", i)).second) continue;
      shards_[random_() % shards_.size()][key] = absl::StrCat("value", i);
    }
  }

  std::mt19937 random_{1};
  ModelMap model_;
  std::vector<ModelMap> shards_;
};

TEST_P(MergingIteratorTest, EveryTurnIsThatOfAMap) {
  for (int round = 0; round < 60; ++round) {
    Fill(static_cast<int>(random_() % 80));
    const auto iterator =
        NewMergingIterator(GetParam().comparator, Over(shards_));
    EXPECT_FALSE(iterator->Valid());
    CompareRandomMoves(random_, model_, 100, iterator.get());
    EXPECT_OK(iterator->status());
  }
}

TEST_P(MergingIteratorTest, WholeScans) {
  Fill(200);
  MapIterator model(&model_);
  const auto iterator =
      NewMergingIterator(GetParam().comparator, Over(shards_));
  model.SeekToFirst();
  iterator->SeekToFirst();
  EXPECT_EQ(Forwards(iterator.get()), Forwards(&model));
  model.SeekToLast();
  iterator->SeekToLast();
  EXPECT_EQ(Backwards(iterator.get()), Backwards(&model));
  EXPECT_OK(iterator->status());
}

TEST_P(MergingIteratorTest, AFailedChildEndsTheScanAtOnce) {
  for (int round = 0; round < 60; ++round) {
    Fill(static_cast<int>(random_() % 80));
    const size_t bad = random_() % shards_.size();
    const bool goes_on = random_() % 2 == 0;
    Iterators children = Over(shards_);
    children[bad] = std::make_unique<FailingIterator>(
        std::move(children[bad]), static_cast<int>(random_() % 8),
        leveldb::Status::Corruption("bad block"), goes_on);
    leveldb::Iterator* const failing = children[bad].get();
    const auto iterator =
        NewMergingIterator(GetParam().comparator, std::move(children));
    const std::string expected = absl::StrCat("shard ", bad, ": bad block");

    iterator->SeekToFirst();
    for (int move = 0; move < 1000 && iterator->Valid(); ++move) {
      // As long as it shows anything, no child has failed.
      ASSERT_OK(failing->status());
      ASSERT_OK(iterator->status());
      if (random_() % 3 == 0) {
        iterator->Prev();
      } else {
        iterator->Next();
      }
    }
    if (failing->status().ok()) iterator->Seek("b");
    while (failing->status().ok()) iterator->SeekToFirst();
    for (int i = 0; i < 3; ++i) {
      EXPECT_FALSE(iterator->Valid());
      EXPECT_THAT(iterator->status(),
                  LevelDbStatusIs(LevelDbCode::kCorruption, expected));
      if (i == 0) iterator->SeekToFirst();
      if (i == 1) iterator->SeekToLast();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, MergingIteratorTest,
    ::testing::Values(Layout{1, leveldb::BytewiseComparator()},
                      Layout{2, leveldb::BytewiseComparator()},
                      Layout{7, leveldb::BytewiseComparator()},
                      Layout{300, leveldb::BytewiseComparator()},
                      Layout{1, ReverseComparator()},
                      Layout{2, ReverseComparator()},
                      Layout{7, ReverseComparator()},
                      Layout{300, ReverseComparator()}),
    [](const ::testing::TestParamInfo<Layout>& info) {
      return absl::StrCat(
          info.param.comparator == ReverseComparator() ? "Reverse" : "Bytewise",
          info.param.children);
    });

TEST(MergingIteratorEdgeTest, NoChildren) {
  const auto iterator =
      NewMergingIterator(leveldb::BytewiseComparator(), Iterators());
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  iterator->SeekToLast();
  EXPECT_FALSE(iterator->Valid());
  iterator->Seek("a");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_OK(iterator->status());
}

TEST(MergingIteratorEdgeTest, EmptyChildren) {
  const std::vector<ModelMap> shards = {{}, {{"b", "1"}}, {}};
  const auto iterator =
      NewMergingIterator(leveldb::BytewiseComparator(), Over(shards));
  iterator->Seek("a");
  EXPECT_EQ(Forwards(iterator.get()), "b=1 ");
  iterator->SeekToLast();
  EXPECT_EQ(Backwards(iterator.get()), "b=1 ");
  iterator->Seek("c");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_OK(iterator->status());
}

TEST(MergingIteratorEdgeTest, DuplicatesAreInTheOrderOfTheChildren) {
  const std::vector<ModelMap> shards = {
      {{"b", "0"}, {"c", "0"}}, {{"a", "1"}, {"b", "1"}}, {{"b", "2"}}};
  const auto iterator =
      NewMergingIterator(leveldb::BytewiseComparator(), Over(shards));
  iterator->SeekToFirst();
  EXPECT_EQ(Forwards(iterator.get()), "a=1 b=0 b=1 b=2 c=0 ");
  iterator->SeekToLast();
  EXPECT_EQ(Backwards(iterator.get()), "c=0 b=2 b=1 b=0 a=1 ");
}

TEST(MergingIteratorEdgeTest, TurnsAmongDuplicates) {
  const std::vector<ModelMap> shards = {
      {{"b", "0"}, {"c", "0"}}, {{"a", "1"}, {"b", "1"}}, {{"b", "2"}}};
  const std::vector<std::string> order = {"a=1", "b=0", "b=1", "b=2", "c=0"};
  std::mt19937 random(1);
  const auto iterator =
      NewMergingIterator(leveldb::BytewiseComparator(), Over(shards));
  iterator->SeekToFirst();
  size_t at = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(iterator->Valid());
    ASSERT_EQ(iterator->key().ToString() + "=" + iterator->value().ToString(),
              order[at]);
    if (at == 0 || (at + 1 < order.size() && random() % 2 == 0)) {
      iterator->Next();
      ++at;
    } else {
      iterator->Prev();
      --at;
    }
  }
}

TEST(MergingIteratorEdgeTest, TheLowestFailedChildIsNamed) {
  const ModelMap map = {{"a", "1"}};
  for (int first = 0; first < 3; ++first) {
    Iterators children;
    for (int i = 0; i < 4; ++i) {
      children.push_back(std::make_unique<FailingIterator>(
          std::make_unique<MapIterator>(&map), i >= first ? 0 : 100,
          leveldb::Status::IOError("disk")));
    }
    const auto iterator =
        NewMergingIterator(leveldb::BytewiseComparator(), std::move(children));
    iterator->Seek("a");
    EXPECT_FALSE(iterator->Valid());
    EXPECT_THAT(iterator->status(),
                LevelDbStatusIs(LevelDbCode::kIOError,
                                absl::StrCat("shard ", first, ": disk")));
  }
}

// A child that recovers: what failed before is forgotten by a new seek.
TEST(MergingIteratorEdgeTest, ASeekTriesAgain) {
  class Flaky final : public leveldb::Iterator {
   public:
    explicit Flaky(const ModelMap* map) : base_(map) {}
    bool Valid() const override { return seeks_ != 1 && base_.Valid(); }
    void SeekToFirst() override { ++seeks_, base_.SeekToFirst(); }
    void SeekToLast() override { ++seeks_, base_.SeekToLast(); }
    void Seek(const leveldb::Slice& key) override { ++seeks_, base_.Seek(key); }
    void Next() override { base_.Next(); }
    void Prev() override { base_.Prev(); }
    leveldb::Slice key() const override { return base_.key(); }
    leveldb::Slice value() const override { return base_.value(); }
    leveldb::Status status() const override {
      return seeks_ == 1 ? leveldb::Status::IOError("once") : base_.status();
    }

   private:
    MapIterator base_;
    int seeks_ = 0;
  };
  const ModelMap map = {{"a", "1"}, {"b", "2"}};
  Iterators children;
  children.push_back(std::make_unique<Flaky>(&map));
  const auto iterator =
      NewMergingIterator(leveldb::BytewiseComparator(), std::move(children));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_THAT(iterator->status(),
              LevelDbStatusIs(LevelDbCode::kIOError, "shard 0: once"));
  iterator->SeekToFirst();
  EXPECT_OK(iterator->status());
  EXPECT_EQ(Forwards(iterator.get()), "a=1 b=2 ");
}

}  // namespace
}  // namespace shardingdb
