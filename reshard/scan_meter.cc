// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/scan_meter.h"

#include <string>

namespace shardingdb {
namespace {

uint64_t SizeBefore(leveldb::DB* db, const leveldb::Slice& limit) {
  const leveldb::Range range(leveldb::Slice(), limit);
  uint64_t size = 0;
  db->GetApproximateSizes(&range, 1, &size);
  return size;
}

}  // namespace

uint64_t ApproximateSize(leveldb::DB* db) {
  // Behind all keys but those that begin with it.
  return SizeBefore(db, std::string(64, '\xff'));
}

void ScanMeter::Finish() {
  if (progress_ != nullptr) Report(ApproximateSize(db_));
}

void ScanMeter::ReportUpTo(const leveldb::Slice& key) {
  if (progress_ != nullptr) Report(SizeBefore(db_, key));
  bytes_ = 0;
  entries_ = 0;
}

void ScanMeter::Report(uint64_t position) {
  // The tables change while somebody writes; never go back.
  const uint64_t steps = position > position_ ? position - position_ : 0;
  position_ += steps;
  progress_->Advance(steps, entries_, bytes_);
}

}  // namespace shardingdb
