// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// NotFound says that a key has no value, and nothing else, whatever files are
// missing.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// Of a database that this library has opened, or of one that the caller has.
class MissingFilesTest : public ::testing::TestWithParam<bool> {
 protected:
  void Open() {
    ShardOptions options;
    options.leveldb.create_if_missing = true;
    options.leveldb.write_buffer_size = 64 << 10;
    if (!GetParam()) {
      ASSERT_OK_AND_ASSIGN(db_, OpenLevelDb(path_, options));
      return;
    }
    leveldb::DB* db = nullptr;
    ASSERT_OK(leveldb::DB::Open(options.leveldb, path_, &db));
    ASSERT_OK_AND_ASSIGN(db_, WrapLevelDb(std::unique_ptr<leveldb::DB>(db)));
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("db");
  std::unique_ptr<DbHandle> db_;
};

INSTANTIATE_TEST_SUITE_P(, MissingFilesTest, ::testing::Bool(),
                         [](const ::testing::TestParamInfo<bool>& test) {
                           return test.param ? "Wrapped" : "Opened";
                         });

TEST_P(MissingFilesTest, AFolderThatIsMovedAwayFailsWritesWithIOError) {
  Open();
  std::filesystem::rename(path_, dir_.Join("elsewhere"));
  const leveldb::WriteOptions write;
  const std::string value(10000, 'v');
  leveldb::Status status;
  for (int i = 0; i < 100 && status.ok(); ++i) {
    status = db_->Put(write, std::to_string(i), value);
  }
  const auto failed = LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr(path_));
  EXPECT_THAT(status, failed);
  EXPECT_THAT(db_->Put(write, "a", value), failed);
  EXPECT_THAT(db_->Delete(write, "a"), failed);
  leveldb::WriteBatch batch;
  batch.Put("a", value);
  EXPECT_THAT(db_->Write(write, &batch), failed);
  db_->CompactRange(nullptr, nullptr);
  EXPECT_THAT(db_->Put(write, "a", value), failed);
}

TEST_P(MissingFilesTest, ATableThatIsMissingIsCorruption) {
  Open();
  ASSERT_OK(db_->Put(leveldb::WriteOptions(), "a", "1"));
  db_->CompactRange(nullptr, nullptr);
  db_.reset();
  Open();
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (entry.path().extension() == ".ldb") {
      std::filesystem::remove(entry.path());
    }
  }
  const auto damaged =
      LevelDbStatusIs(LevelDbCode::kCorruption, HasSubstr(path_));
  std::string value;
  EXPECT_THAT(db_->Get(leveldb::ReadOptions(), "a", &value), damaged);
  const std::unique_ptr<leveldb::Iterator> iterator(
      db_->NewIterator(leveldb::ReadOptions()));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_THAT(iterator->status(), damaged);
  const auto range =
      db_->NewRangeIterator(leveldb::ReadOptions(), leveldb::Range("a", "b"));
  range->SeekToLast();
  EXPECT_FALSE(range->Valid());
  EXPECT_THAT(range->status(), damaged);
}

}  // namespace
}  // namespace shardingdb
