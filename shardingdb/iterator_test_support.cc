// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/iterator_test_support.h"

#include <cstddef>
#include <iterator>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {
namespace {

class ReverseBytewise final : public leveldb::Comparator {
 public:
  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    return b.compare(a);
  }
  const char* Name() const override { return "shardingdb.ReverseBytewise"; }
  void FindShortestSeparator(std::string*,
                             const leveldb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

// Where `at` is, or "end".
std::string Place(const ModelMap& model, ModelMap::const_iterator at) {
  return at == model.end() ? "end" : at->first + "=" + at->second;
}

std::string Place(const leveldb::Iterator& iterator) {
  if (!iterator.Valid()) return "end";
  return iterator.key().ToString() + "=" + iterator.value().ToString();
}

ModelMap::const_iterator Before(const ModelMap& model,
                                ModelMap::const_iterator at) {
  return at == model.begin() ? model.end() : std::prev(at);
}

}  // namespace

const leveldb::Comparator* ReverseComparator() {
  static const ReverseBytewise* const comparator = new ReverseBytewise();
  return comparator;
}

void MapIterator::SeekToLast() { MoveTo(Before(*map_, map_->end())); }

void MapIterator::Seek(const leveldb::Slice& target) {
  MoveTo(map_->lower_bound(target.ToString()));
}

void MapIterator::Next() {
  ASSERT_TRUE(Valid());
  MoveTo(std::next(at_));
}

void MapIterator::Prev() {
  ASSERT_TRUE(Valid());
  MoveTo(Before(*map_, at_));
}

leveldb::Slice MapIterator::key() const {
  EXPECT_TRUE(Valid());
  return key_;
}

leveldb::Slice MapIterator::value() const {
  EXPECT_TRUE(Valid());
  return at_->second;
}

void MapIterator::MoveTo(ModelMap::const_iterator at) {
  at_ = at;
  key_.assign(key_.size(),
              '?');  // whoever still looks at the old key sees this
  if (Valid()) key_ = at_->first;
}

void FailingIterator::SeekToFirst() {
  base_->SeekToFirst();
  Moved();
}

void FailingIterator::SeekToLast() {
  base_->SeekToLast();
  Moved();
}

void FailingIterator::Seek(const leveldb::Slice& target) {
  base_->Seek(target);
  Moved();
}

void FailingIterator::Next() {
  base_->Next();
  Moved();
}

void FailingIterator::Prev() {
  base_->Prev();
  Moved();
}

leveldb::Status FailingIterator::status() const {
  return failed_ ? error_ : base_->status();
}

void FailingIterator::Moved() { failed_ = failed_ || moves_left_-- == 0; }

std::string RandomKey(std::mt19937& random) {
  std::string key;
  for (size_t length = 1 + random() % 3; length > 0; --length) {
    key.push_back(static_cast<char>('a' + random() % 4));
  }
  return key;
}

void CompareRandomMoves(std::mt19937& random, const ModelMap& model, int moves,
                        leveldb::Iterator* iterator) {
  ModelMap::const_iterator at = model.end();
  std::string trace;
  for (int i = 0; i < moves; ++i) {
    // A run in one direction now and then, so that ends are reached.
    const size_t move = random() % (at == model.end() ? 3 : 8);
    if (move == 0) {
      trace += " SeekToFirst";
      iterator->SeekToFirst();
      at = model.begin();
    } else if (move == 1) {
      trace += " SeekToLast";
      iterator->SeekToLast();
      at = Before(model, model.end());
    } else if (move == 2) {
      const std::string key = RandomKey(random);
      trace += " Seek(" + key + ")";
      iterator->Seek(key);
      at = model.lower_bound(key);
    } else if (move == 3) {
      trace += " Seek(key())";
      iterator->Seek(iterator->key());
    } else if (move % 2 == 0) {
      trace += " Next";
      iterator->Next();
      ++at;
    } else {
      trace += " Prev";
      iterator->Prev();
      at = Before(model, at);
    }
    ASSERT_EQ(Place(*iterator), Place(model, at)) << "after" << trace;
  }
}

}  // namespace shardingdb
