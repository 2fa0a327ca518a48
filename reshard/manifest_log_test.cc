// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/manifest_log.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class ManifestLogTest : public ::testing::Test {
 protected:
  absl::Status Check() {
    return CheckManifestLog(leveldb::Env::Default(), path_);
  }
  void Open(bool reuse_logs) {
    leveldb::Options options;
    options.create_if_missing = true;
    options.reuse_logs = reuse_logs;
    leveldb::DB* db = nullptr;
    ASSERT_OK(leveldb::DB::Open(options, path_, &db));
    const std::unique_ptr<leveldb::DB> owned(db);
    ASSERT_OK(db->Put(leveldb::WriteOptions(), "key", "value"));
  }
  // The one log that there is.
  std::string Log() {
    std::string log;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      if (file.path().extension() == ".log") log = file.path().string();
    }
    EXPECT_NE(log, "");
    return log;
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("a");
};

TEST_F(ManifestLogTest, NamesTheMissingLog) {
  Open(/*reuse_logs=*/false);
  EXPECT_OK(Check());
  const std::string log = Log();
  std::filesystem::remove(log);
  EXPECT_THAT(Check(), StatusIs(absl::StatusCode::kDataLoss, HasSubstr(log)));
}

TEST_F(ManifestLogTest, TheLastEditThatNamesALogCounts) {
  for (int i = 0; i < 5; ++i) {
    Open(/*reuse_logs=*/i % 2 == 1);
    EXPECT_OK(Check());
  }
  std::filesystem::remove(Log());
  EXPECT_THAT(Check(), StatusIs(absl::StatusCode::kDataLoss));
}

TEST_F(ManifestLogTest, ManifestsOfMoreThanABlockAreRead) {
  Open(/*reuse_logs=*/false);
  leveldb::Options options;
  options.reuse_logs = true;
  for (int i = 0; i < 300; ++i) {
    leveldb::DB* db = nullptr;
    ASSERT_OK(leveldb::DB::Open(options, path_, &db));
    const std::unique_ptr<leveldb::DB> owned(db);
    const std::string key(1000, static_cast<char>('a' + i % 26));
    ASSERT_OK(db->Put(leveldb::WriteOptions(), key, "value"));
    db->CompactRange(nullptr, nullptr);
  }
  EXPECT_OK(Check());
  std::filesystem::remove(Log());
  EXPECT_THAT(Check(), StatusIs(absl::StatusCode::kDataLoss));
}

TEST_F(ManifestLogTest, WhatIsNoDatabaseIsLeftToLevelDb) {
  EXPECT_OK(Check());
  std::filesystem::create_directory(path_);
  EXPECT_OK(Check());
  std::ofstream(path_ + "/CURRENT") << "MANIFEST-000001\n";
  EXPECT_OK(Check());
  std::ofstream(path_ + "/MANIFEST-000001") << "no manifest at all";
  EXPECT_OK(Check());
}

}  // namespace
}  // namespace shardingdb
