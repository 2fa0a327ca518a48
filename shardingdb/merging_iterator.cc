// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/merging_iterator.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "shardingdb/loser_tree.h"
#include "shardingdb/reserved_keys.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// All entries of all children are in one total order, by key and then by index
// of the child. While the iterator is valid, every child stands at its first
// entry that is not before the current one in the direction of travel, or is
// invalid if it has none.
class MergingIterator final : public leveldb::Iterator {
 public:
  MergingIterator(const leveldb::Comparator* comparator,
                  std::vector<std::unique_ptr<leveldb::Iterator>> children,
                  uint32_t first_shard)
      : comparator_(comparator),
        first_shard_(first_shard),
        tree_(children.size()) {
    children_.reserve(children.size());
    for (std::unique_ptr<leveldb::Iterator>& child : children) {
      assert(child != nullptr);
      children_.push_back({std::move(child), leveldb::Slice(), false});
    }
  }

  bool Valid() const override { return valid_; }

  void SeekToFirst() override {
    MoveAll(Direction::kForward,
            [](leveldb::Iterator* child) { child->SeekToFirst(); });
  }

  void SeekToLast() override {
    MoveAll(Direction::kBackward,
            [](leveldb::Iterator* child) { child->SeekToLast(); });
  }

  void Seek(const leveldb::Slice& target) override {
    // A copy: `target` may be the key() of a child that is about to move.
    const std::string key = target.ToString();
    MoveAll(Direction::kForward,
            [&key](leveldb::Iterator* child) { child->Seek(key); });
  }

  void Next() override {
    assert(valid_);
    if (direction_ != Direction::kForward) {
      TurnForward();
    } else {
      children_[tree_.winner()].iterator->Next();
      Moved(tree_.winner(), Direction::kForward);
      if (status_.ok()) tree_.Replay(Before{this});
    }
    Settle();
  }

  void Prev() override {
    assert(valid_);
    if (direction_ != Direction::kBackward) {
      TurnBackward();
    } else {
      children_[tree_.winner()].iterator->Prev();
      Moved(tree_.winner(), Direction::kBackward);
      if (status_.ok()) tree_.Replay(Before{this});
    }
    Settle();
  }

  leveldb::Slice key() const override {
    assert(valid_);
    return children_[tree_.winner()].key;
  }

  leveldb::Slice value() const override {
    assert(valid_);
    const leveldb::Iterator& child = *children_[tree_.winner()].iterator;
    const leveldb::Slice value = child.value();
    if (!child.Valid()) Failed(tree_.winner());  // it did not open
    return value;
  }

  leveldb::Status status() const override { return status_; }

 private:
  enum class Direction { kForward, kBackward };

  struct Child {
    std::unique_ptr<leveldb::Iterator> iterator;
    leveldb::Slice key;  // of the entry it stands at
    bool valid;
  };

  // Which of two children stands at the entry that comes first in the direction
  // of travel; a child without an entry comes last.
  struct Before {
    const MergingIterator* self;

    bool operator()(size_t a, size_t b) const {
      const Child& x = self->children_[a];
      const Child& y = self->children_[b];
      if (!x.valid || !y.valid) return x.valid || (!y.valid && a < b);
      const int order = self->comparator_->Compare(x.key, y.key);
      if (self->direction_ == Direction::kForward) {
        return order < 0 || (order == 0 && a < b);
      }
      return order > 0 || (order == 0 && a > b);
    }
  };

  // Notes where a child went. Its status is looked at even if it is valid:
  // LevelDB's own iterators go on behind a block that they could not read.
  void Moved(size_t index, Direction direction) {
    Child& child = children_[index];
    child.valid = child.iterator->Valid();
    if (child.valid) child.key = child.iterator->key();
    if (child.valid && IsReservedKey(child.key))
      SkipReserved(&child, direction);
    if (!child.iterator->status().ok() && status_.ok()) Failed(index);
  }

  static void SkipReserved(Child* child, Direction direction) {
    if (direction == Direction::kForward) {
      SkipReservedForward(child->iterator.get());
    } else {
      SkipReservedBackward(child->iterator.get());
    }
    child->valid = child->iterator->Valid();
    if (child->valid) child->key = child->iterator->key();
  }

  void Failed(size_t index) const {
    status_ = Annotate(children_[index].iterator->status(),
                       absl::StrCat("shard ", first_shard_ + index));
    valid_ = false;
  }

  template <typename Move>
  void MoveAll(Direction direction, const Move& move) {
    direction_ = direction;
    status_ = leveldb::Status::OK();
    for (size_t i = 0; i < children_.size() && status_.ok(); ++i) {
      move(children_[i].iterator.get());
      Moved(i, direction);
    }
    Rebuild();
    Settle();
  }

  // Makes every child stand behind the current entry, in forward order.
  void TurnForward() {
    const size_t current = tree_.winner();
    const leveldb::Slice key = children_[current].key;
    for (size_t i = 0; i < children_.size() && status_.ok(); ++i) {
      if (i == current) continue;
      leveldb::Iterator* const child = children_[i].iterator.get();
      child->Seek(key);
      Moved(i, Direction::kForward);
      // With the same key, a child of a lower index is before the current one.
      if (i < current && IsAt(i, key)) {
        child->Next();
        Moved(i, Direction::kForward);
      }
    }
    direction_ = Direction::kForward;
    if (status_.ok()) {
      children_[current].iterator->Next();
      Moved(current, Direction::kForward);
    }
    Rebuild();
  }

  // Makes every child stand before the current entry, in forward order.
  void TurnBackward() {
    const size_t current = tree_.winner();
    const leveldb::Slice key = children_[current].key;
    for (size_t i = 0; i < children_.size() && status_.ok(); ++i) {
      if (i == current) continue;
      leveldb::Iterator* const child = children_[i].iterator.get();
      child->Seek(key);
      Moved(i, Direction::kForward);
      if (!status_.ok() || (i < current && IsAt(i, key))) continue;
      if (children_[i].valid) {
        child->Prev();
      } else {
        child->SeekToLast();
      }
      Moved(i, Direction::kBackward);
    }
    direction_ = Direction::kBackward;
    if (status_.ok()) {
      children_[current].iterator->Prev();
      Moved(current, Direction::kBackward);
    }
    Rebuild();
  }

  bool IsAt(size_t index, const leveldb::Slice& key) const {
    return children_[index].valid &&
           comparator_->Compare(children_[index].key, key) == 0;
  }

  void Rebuild() {
    if (status_.ok()) tree_.Rebuild(Before{this});
  }

  void Settle() { valid_ = status_.ok() && children_[tree_.winner()].valid; }

  const leveldb::Comparator* const comparator_;
  const uint32_t first_shard_;
  std::vector<Child> children_;
  LoserTree tree_;
  Direction direction_ = Direction::kForward;
  mutable bool valid_ = false;
  mutable leveldb::Status status_;  // of the first child that failed
};

}  // namespace

std::unique_ptr<leveldb::Iterator> NewMergingIterator(
    const leveldb::Comparator* comparator,
    std::vector<std::unique_ptr<leveldb::Iterator>> children,
    uint32_t first_shard) {
  if (children.empty()) {
    return std::unique_ptr<leveldb::Iterator>(leveldb::NewEmptyIterator());
  }
  return std::make_unique<MergingIterator>(comparator, std::move(children),
                                           first_shard);
}

}  // namespace shardingdb
