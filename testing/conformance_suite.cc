// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/conformance_suite.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "testing/status_matchers.h"

namespace shardingdb {

void DbHandleConformance::StartAgain(const leveldb::Comparator* comparator) {
  db_.reset();
  folder_ = temp_.Join(absl::StrCat("db", databases_++));
  comparator_ = comparator;
  std::filesystem::create_directory(folder_);
  ASSERT_OK_AND_ASSIGN(db_, Open());
  ASSERT_NE(db_, nullptr);
}

void DbHandleConformance::Reopen() {
  if (!GetParam().persistent) return;
  ASSERT_OK(db_->Close());
  db_.reset();
  ASSERT_OK_AND_ASSIGN(db_, Open());
  ASSERT_NE(db_, nullptr);
}

absl::StatusOr<std::unique_ptr<DbHandle>> DbHandleConformance::Open() {
  return GetParam().open(folder_, comparator_);
}

void DbHandleConformance::Put(const leveldb::Slice& key,
                              const leveldb::Slice& value) {
  EXPECT_OK(db_->Put(leveldb::WriteOptions(), key, value));
}

void DbHandleConformance::Delete(const leveldb::Slice& key) {
  EXPECT_OK(db_->Delete(leveldb::WriteOptions(), key));
}

std::string DbHandleConformance::Get(const leveldb::Slice& key,
                                     const leveldb::Snapshot* snapshot) {
  std::string value;
  const leveldb::Status status = db_->Get(At(snapshot), key, &value);
  if (status.IsNotFound()) return "(none)";
  return status.ok() ? value : status.ToString();
}

KeyValues DbHandleConformance::Contents(const leveldb::Snapshot* snapshot) {
  return ScanBothWays(NewIterator(snapshot).get());
}

std::unique_ptr<leveldb::Iterator> DbHandleConformance::NewIterator(
    const leveldb::Snapshot* snapshot) {
  return std::unique_ptr<leveldb::Iterator>(db_->NewIterator(At(snapshot)));
}

std::unique_ptr<leveldb::Iterator> DbHandleConformance::NewRangeIterator(
    const leveldb::Slice& start, const leveldb::Slice& limit,
    const leveldb::Snapshot* snapshot) {
  return db_->NewRangeIterator(At(snapshot), leveldb::Range(start, limit));
}

std::string ConformanceName(
    const ::testing::TestParamInfo<ConformanceParam>& info) {
  return info.param.name;
}

leveldb::ReadOptions At(const leveldb::Snapshot* snapshot) {
  leveldb::ReadOptions options;
  options.snapshot = snapshot;
  return options;
}

std::string NumberedKey(int number) { return absl::StrFormat("k%05d", number); }

}  // namespace shardingdb
