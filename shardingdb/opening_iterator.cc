// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/opening_iterator.h"

#include <cassert>
#include <string>
#include <utility>

#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {
namespace {

class OpeningIterator final : public leveldb::Iterator {
 public:
  OpeningIterator(std::unique_ptr<leveldb::Iterator> sealed,
                  std::shared_ptr<const ValueSealer> sealer)
      : sealed_(std::move(sealed)), sealer_(std::move(sealer)) {}

  bool Valid() const override { return failure_.ok() && sealed_->Valid(); }
  void SeekToFirst() override {
    Moved();
    failure_ = leveldb::Status::OK();
    sealed_->SeekToFirst();
  }
  void SeekToLast() override {
    Moved();
    failure_ = leveldb::Status::OK();
    sealed_->SeekToLast();
  }
  void Seek(const leveldb::Slice& target) override {
    Moved();
    failure_ = leveldb::Status::OK();
    sealed_->Seek(target);
  }
  void Next() override {
    assert(Valid());
    Moved();
    sealed_->Next();
  }
  void Prev() override {
    assert(Valid());
    Moved();
    sealed_->Prev();
  }
  leveldb::Slice key() const override { return sealed_->key(); }
  leveldb::Slice value() const override {
    if (!opened_) {
      opened_ = true;
      failure_ = sealer_->Open(sealed_->key(), sealed_->value(), &value_);
    }
    return value_;
  }
  // What lies below comes first: behind a block that it cannot read LevelDB
  // shows values that were overwritten, which may open or not.
  leveldb::Status status() const override {
    const leveldb::Status below = sealed_->status();
    return below.ok() ? failure_ : below;
  }

 private:
  void Moved() { opened_ = false; }

  const std::unique_ptr<leveldb::Iterator> sealed_;
  const std::shared_ptr<const ValueSealer> sealer_;
  // What value() has found at this position.
  mutable bool opened_ = false;
  mutable std::string value_;
  mutable leveldb::Status failure_;
};

}  // namespace

std::unique_ptr<leveldb::Iterator> NewOpeningIterator(
    std::unique_ptr<leveldb::Iterator> sealed,
    std::shared_ptr<const ValueSealer> sealer) {
  return std::make_unique<OpeningIterator>(std::move(sealed),
                                           std::move(sealer));
}

}  // namespace shardingdb
