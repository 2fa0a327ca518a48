// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/value_sealer.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/entry_size.h"
#include "shardingdb/slice_view.h"

namespace shardingdb {

ValueSealer::ValueSealer(std::shared_ptr<const Aead> aead, Locate locate)
    : aead_(std::move(aead)), locate_(std::move(locate)) {}

std::string ValueSealer::ValueOf(const leveldb::Slice& key) const {
  std::string place;
  if (locate_ != nullptr) place = absl::StrCat(locate_(key), ": ");
  return absl::StrCat(place, "the value of key ", DescribeKey(key));
}

leveldb::Status ValueSealer::Seal(const leveldb::Slice& key,
                                  const leveldb::Slice& value,
                                  std::string* sealed) const {
  sealed->clear();
  const leveldb::Status size = CheckEntrySize(key, value);
  if (!size.ok()) return size;
  const absl::Status status = aead_->Seal(View(value), View(key), sealed);
  if (status.ok()) return CheckEntrySize(key, *sealed);
  const std::string message =
      absl::StrCat(ValueOf(key), " cannot be sealed: ", status.message());
  return status.code() == absl::StatusCode::kInvalidArgument
             ? leveldb::Status::InvalidArgument(message)
             : leveldb::Status::IOError(message);
}

leveldb::Status ValueSealer::Open(const leveldb::Slice& key,
                                  const leveldb::Slice& sealed,
                                  std::string* value) const {
  const absl::Status status = aead_->Open(View(sealed), View(key), value);
  if (status.ok()) return leveldb::Status::OK();
  value->clear();
  const std::string message =
      absl::StrCat(ValueOf(key), " does not open: ", status.message());
  switch (status.code()) {
    case absl::StatusCode::kDataLoss:
      return leveldb::Status::Corruption(message);
    case absl::StatusCode::kFailedPrecondition:
      return leveldb::Status::NotSupported(message);
    default:
      return leveldb::Status::IOError(message);
  }
}

}  // namespace shardingdb
