// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_ITERATOR_TEST_SUPPORT_H_
#define SHARDINGDB_ITERATOR_TEST_SUPPORT_H_

// A std::map as the model of what an iterator shows, iterators over one, and a
// comparison of the two.

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {

// Bytewise order turned round.
const leveldb::Comparator* ReverseComparator();

struct ModelOrder {
  const leveldb::Comparator* comparator = leveldb::BytewiseComparator();

  bool operator()(const std::string& a, const std::string& b) const {
    return comparator->Compare(a, b) < 0;
  }
};

using ModelMap = std::map<std::string, std::string, ModelOrder>;

// An iterator over `map`, which must outlive it. As LevelDB's own ones do, it
// keeps key() in a buffer that the next move overwrites.
class MapIterator final : public leveldb::Iterator {
 public:
  explicit MapIterator(const ModelMap* map) : map_(map), at_(map->end()) {}

  bool Valid() const override { return at_ != map_->end(); }
  void SeekToFirst() override { MoveTo(map_->begin()); }
  void SeekToLast() override;
  void Seek(const leveldb::Slice& target) override;
  void Next() override;
  void Prev() override;
  leveldb::Slice key() const override;
  leveldb::Slice value() const override;
  leveldb::Status status() const override { return leveldb::Status::OK(); }

 private:
  void MoveTo(ModelMap::const_iterator at);

  const ModelMap* const map_;
  ModelMap::const_iterator at_;
  std::string key_;
};

// Passes `base` on until it has been moved `moves` times; from then on it is
// invalid with status `error`, or, where `goes_on` says so, still shows the
// entries of `base` but with that status, as LevelDB's iterators do behind a
// block that they could not read.
class FailingIterator final : public leveldb::Iterator {
 public:
  FailingIterator(std::unique_ptr<leveldb::Iterator> base, int moves,
                  leveldb::Status error, bool goes_on = false)
      : base_(std::move(base)),
        moves_left_(moves),
        error_(std::move(error)),
        goes_on_(goes_on) {}

  bool Valid() const override {
    return (!failed_ || goes_on_) && base_->Valid();
  }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const leveldb::Slice& target) override;
  void Next() override;
  void Prev() override;
  leveldb::Slice key() const override { return base_->key(); }
  leveldb::Slice value() const override { return base_->value(); }
  leveldb::Status status() const override;

 private:
  void Moved();

  const std::unique_ptr<leveldb::Iterator> base_;
  int moves_left_;
  const leveldb::Status error_;
  const bool goes_on_;
  bool failed_ = false;
};

// One of about 85 short keys, some of them prefixes of others.
std::string RandomKey(std::mt19937& random);

// Moves `iterator` at random, `moves` times, and expects it to be where an
// iterator over `model` would be.
void CompareRandomMoves(std::mt19937& random, const ModelMap& model, int moves,
                        leveldb::Iterator* iterator);

}  // namespace shardingdb

#endif  // SHARDINGDB_ITERATOR_TEST_SUPPORT_H_
