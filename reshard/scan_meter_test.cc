// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/scan_meter.h"

#include <cstddef>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/generated_set.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class ScanMeterTest : public ::testing::Test {
 protected:
  ScanMeterTest() {
    WriteSet({folder_}, JumpSharding(), entries_);
    leveldb::DB* db = nullptr;
    EXPECT_OK(leveldb::DB::Open(leveldb::Options(), folder_, &db));
    db_.reset(db);
    Progress::Options options;
    options.write = [this](absl::string_view text) {
      text_.append(text.data(), text.size());
    };
    options.now = [this] { return now_; };
    progress_ = std::make_unique<Progress>(options);
  }

  TempDir dir_;
  const std::string folder_ = dir_.Join("db");
  const Entries entries_ = GenerateEntries(1, 20000);
  std::unique_ptr<leveldb::DB> db_;
  std::string text_;
  absl::Time now_ = absl::FromUnixSeconds(1000);
  std::unique_ptr<Progress> progress_;
};

TEST_F(ScanMeterTest, AScanGetsFromNothingToAll) {
  EXPECT_GT(ApproximateSize(db_.get()), 100000);
  progress_->StartPhase("scan", ApproximateSize(db_.get()));
  ScanMeter meter(db_.get(), progress_.get());
  size_t seen = 0;
  for (const auto& [key, value] : entries_) {
    if (++seen == entries_.size() / 2) now_ += absl::Seconds(10);
    meter.Count(key, value);
  }
  // Somewhere in the middle.
  EXPECT_THAT(text_, ::testing::ContainsRegex("scan [3-7][0-9]% [0-9]+ ent"));
  now_ += absl::Seconds(10);
  meter.Finish();
  EXPECT_THAT(text_, HasSubstr("scan 100% 20000 entries"));
  progress_->EndPhase();
  EXPECT_THAT(text_, HasSubstr("scan: 20000 entries"));
}

TEST_F(ScanMeterTest, NeedsNobodyToTell) {
  ScanMeter meter(db_.get(), nullptr);
  for (const auto& [key, value] : entries_) meter.Count(key, value);
  meter.Finish();
}

}  // namespace
}  // namespace shardingdb
