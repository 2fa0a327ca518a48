// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/range_iterator.h"

#include <cassert>
#include <memory>
#include <string>
#include <utility>

#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {
namespace {

class RangeIterator final : public leveldb::Iterator {
 public:
  RangeIterator(std::unique_ptr<leveldb::Iterator> base,
                const leveldb::Comparator* comparator,
                const leveldb::Range& range)
      : base_(std::move(base)),
        comparator_(comparator),
        start_(range.start.ToString()),
        limit_(range.limit.ToString()) {}

  bool Valid() const override { return valid_; }

  void SeekToFirst() override {
    if (start_.empty()) {
      base_->SeekToFirst();
    } else {
      base_->Seek(start_);
    }
    valid_ = base_->Valid() && !IsBehind(base_->key());
  }

  void SeekToLast() override {
    if (limit_.empty()) {
      base_->SeekToLast();
    } else {
      base_->Seek(limit_);
      if (base_->Valid()) {
        base_->Prev();
      } else if (base_->status().ok()) {
        base_->SeekToLast();
      }
    }
    valid_ = base_->Valid() && !IsBefore(base_->key());
  }

  void Seek(const leveldb::Slice& target) override {
    if (IsBehind(target)) {
      valid_ = false;
      return;
    }
    base_->Seek(IsBefore(target) ? leveldb::Slice(start_) : target);
    valid_ = base_->Valid() && !IsBehind(base_->key());
  }

  void Next() override {
    assert(valid_);
    base_->Next();
    valid_ = base_->Valid() && !IsBehind(base_->key());
  }

  void Prev() override {
    assert(valid_);
    base_->Prev();
    valid_ = base_->Valid() && !IsBefore(base_->key());
  }

  leveldb::Slice key() const override {
    assert(valid_);
    return base_->key();
  }

  leveldb::Slice value() const override {
    assert(valid_);
    const leveldb::Slice value = base_->value();
    valid_ = base_->Valid();  // not if it did not open
    return value;
  }

  leveldb::Status status() const override { return base_->status(); }

 private:
  bool IsBefore(const leveldb::Slice& key) const {
    return !start_.empty() && comparator_->Compare(key, start_) < 0;
  }

  bool IsBehind(const leveldb::Slice& key) const {
    return !limit_.empty() && comparator_->Compare(key, limit_) >= 0;
  }

  const std::unique_ptr<leveldb::Iterator> base_;
  const leveldb::Comparator* const comparator_;
  const std::string start_;  // empty: no bound
  const std::string limit_;  // empty: no bound
  mutable bool valid_ = false;
};

}  // namespace

std::unique_ptr<leveldb::Iterator> NewBoundedIterator(
    std::unique_ptr<leveldb::Iterator> base,
    const leveldb::Comparator* comparator, const leveldb::Range& range) {
  assert(base != nullptr);
  if (range.start.empty() && range.limit.empty()) return base;
  return std::make_unique<RangeIterator>(std::move(base), comparator, range);
}

}  // namespace shardingdb
