// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/opening_iterator.h"

#include <cassert>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/slice_view.h"

namespace shardingdb {
namespace {

class OpeningIterator final : public leveldb::Iterator {
 public:
  OpeningIterator(std::unique_ptr<leveldb::Iterator> sealed,
                  std::shared_ptr<const Aead> aead)
      : sealed_(std::move(sealed)), aead_(std::move(aead)) {}

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
      failure_ = OpenValue(*aead_, sealed_->key(), sealed_->value(), &value_);
    }
    return value_;
  }
  leveldb::Status status() const override {
    return failure_.ok() ? sealed_->status() : failure_;
  }

 private:
  void Moved() { opened_ = false; }

  const std::unique_ptr<leveldb::Iterator> sealed_;
  const std::shared_ptr<const Aead> aead_;
  // What value() has found at this position.
  mutable bool opened_ = false;
  mutable std::string value_;
  mutable leveldb::Status failure_;
};

}  // namespace

leveldb::Status OpenValue(const Aead& aead, const leveldb::Slice& key,
                          const leveldb::Slice& sealed, std::string* value) {
  const absl::Status status = aead.Open(View(sealed), View(key), value);
  if (status.ok()) return leveldb::Status::OK();
  value->clear();
  const std::string message =
      absl::StrCat("the value of key ", DescribeKey(key),
                   " does not open: ", status.message());
  switch (status.code()) {
    case absl::StatusCode::kDataLoss:
      return leveldb::Status::Corruption(message);
    case absl::StatusCode::kFailedPrecondition:
      return leveldb::Status::NotSupported(message);
    default:
      return leveldb::Status::IOError(message);
  }
}

std::unique_ptr<leveldb::Iterator> NewOpeningIterator(
    std::unique_ptr<leveldb::Iterator> sealed,
    std::shared_ptr<const Aead> aead) {
  return std::make_unique<OpeningIterator>(std::move(sealed), std::move(aead));
}

}  // namespace shardingdb
