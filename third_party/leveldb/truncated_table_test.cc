// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A table that is not what was written is Corruption with its name (patch
// 0015).

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/iterator.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "third_party/leveldb/database.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

constexpr size_t kFooter = 48;

class TruncatedTableTest : public ::testing::Test {
 protected:
  TruncatedTableTest() : db_(env_, path_) {
    db_.options()->filter_policy = filter_.get();
    EXPECT_OK(db_.Open());
    for (int i = 0; i < 40; ++i) {
      EXPECT_OK(db_.Put(absl::StrCat("key", i), std::string(500, 'v')));
    }
    db_->CompactRange(nullptr, nullptr);
    db_.Close();
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      if (file.path().extension() == ".ldb") table_ = file.path().string();
    }
    EXPECT_OK(leveldb::ReadFileToString(env_, table_, &contents_));
    EXPECT_GT(contents_.size(), 20000);
  }

  // Opens the database with these bytes as its table.
  void OpenWith(const std::string& contents) {
    db_.Close();
    ASSERT_OK(leveldb::WriteStringToFile(env_, contents, table_));
    ASSERT_OK(db_.Open());
  }

  leveldb::Status Get(const std::string& key) {
    leveldb::ReadOptions read;
    read.verify_checksums = true;
    std::string value;
    return db_->Get(read, key, &value);
  }

  leveldb::Status Scan() {
    leveldb::ReadOptions read;
    read.verify_checksums = true;
    const std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(read));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    }
    return iterator->status();
  }

  leveldb::Env* const env_ = leveldb::Env::Default();
  const TempDir dir_;
  const std::string path_ = dir_.Join("db");
  const std::unique_ptr<const leveldb::FilterPolicy> filter_{
      leveldb::NewBloomFilterPolicy(10)};
  Database db_;
  std::string table_;
  std::string contents_;
};

TEST_F(TruncatedTableTest, NamesItself) {
  const size_t size = contents_.size();
  for (const size_t cut :
       {size - 1, size - 7, size - kFooter, size - kFooter - 1, size / 2,
        kFooter, kFooter - 1, size_t{1}, size_t{0}}) {
    ASSERT_NO_FATAL_FAILURE(OpenWith(contents_.substr(0, cut)));
    for (const leveldb::Status& status : {Get("key1"), Scan()}) {
      EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kCorruption,
                                          HasSubstr(absl::StrCat(
                                              table_, ": file is too short"))))
          << "cut at " << cut;
    }
  }
}

// The footer has no checksum.
TEST_F(TruncatedTableTest, NamesItselfWhereItsFooterIsDamaged) {
  const size_t footer = contents_.size() - kFooter;
  for (size_t flip = 2 * footer; flip < 2 * contents_.size(); ++flip) {
    // The high bit, with which a number goes on, and one of the others.
    const int bit = flip % 2 == 0 ? 7 : static_cast<int>(flip / 2 % 7);
    std::string damaged = contents_;
    damaged[flip / 2] = static_cast<char>(damaged[flip / 2] ^ (1 << bit));
    ASSERT_NO_FATAL_FAILURE(OpenWith(damaged));
    const leveldb::Status status = Scan();
    if (!status.ok()) {  // The padding may be anything.
      EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kCorruption,
                                          HasSubstr(table_ + ": ")))
          << "byte " << flip / 2 << ", bit " << bit;
    }
  }
}

TEST_F(TruncatedTableTest, NamesItsDamagedBlock) {
  std::string damaged = contents_;
  damaged[100] = 'x';
  ASSERT_NO_FATAL_FAILURE(OpenWith(damaged));
  for (const leveldb::Status& status : {Get("key0"), Scan()}) {
    EXPECT_THAT(
        status,
        LevelDbStatusIs(
            LevelDbCode::kCorruption,
            HasSubstr(table_ + ": block checksum mismatch at offset 0")));
  }
  EXPECT_OK(Get("key9"));
}

}  // namespace
}  // namespace shardingdb
