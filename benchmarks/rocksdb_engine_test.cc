// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/rocksdb_engine.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

#ifdef SHARDINGDB_HAS_ROCKSDB

RocksDbTuning Tuned() {
  RocksDbTuning tuning;
  tuning.write_buffer_bytes = 1 << 20;
  tuning.block_cache_bytes = 1 << 20;
  return tuning;
}

class RocksDbEngineTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<leveldb::DB>> db =
        OpenRocksDb(GetParam() ? Tuned() : RocksDbTuning(), path_);
    ASSERT_OK(db);
    db_ = *std::move(db);
  }

  std::string Scan(const leveldb::ReadOptions& options, bool backwards) {
    const std::unique_ptr<leveldb::Iterator> i(db_->NewIterator(options));
    std::string text;
    for (backwards ? i->SeekToLast() : i->SeekToFirst(); i->Valid();
         backwards ? i->Prev() : i->Next()) {
      text += i->key().ToString() + "=" + i->value().ToString() + " ";
    }
    EXPECT_OK(i->status());
    return text;
  }

  const TempDir dir_;
  const std::string path_ = dir_.Join("database");
  std::unique_ptr<leveldb::DB> db_;
};

TEST_P(RocksDbEngineTest, IsADatabase) {
  EXPECT_OK(db_->Put(leveldb::WriteOptions(), "b", "1"));
  const leveldb::Snapshot* const before = db_->GetSnapshot();
  leveldb::WriteBatch batch;
  batch.Put("a", "2");
  batch.Put("b", std::string("\0\xff", 2));
  batch.Put("c", "3");
  batch.Delete("c");
  leveldb::WriteOptions sync;
  sync.sync = true;
  EXPECT_OK(db_->Write(sync, &batch));
  EXPECT_OK(db_->Put(leveldb::WriteOptions(), "d", ""));
  EXPECT_OK(db_->Delete(leveldb::WriteOptions(), "a"));

  std::string value;
  EXPECT_OK(db_->Get(leveldb::ReadOptions(), "b", &value));
  EXPECT_EQ(value, std::string("\0\xff", 2));
  EXPECT_TRUE(db_->Get(leveldb::ReadOptions(), "a", &value).IsNotFound());
  const std::string now = std::string("b=\0\xff ", 5) + "d= ";
  EXPECT_EQ(Scan(leveldb::ReadOptions(), /*backwards=*/false), now);
  EXPECT_EQ(Scan(leveldb::ReadOptions(), /*backwards=*/true),
            std::string("d= b=\0\xff ", 8));
  leveldb::ReadOptions then;
  then.snapshot = before;
  EXPECT_EQ(Scan(then, /*backwards=*/false), "b=1 ");
  db_->ReleaseSnapshot(before);

  db_->CompactRange(nullptr, nullptr);
  EXPECT_EQ(Scan(leveldb::ReadOptions(), /*backwards=*/false), now);
  const std::unique_ptr<leveldb::Iterator> i(
      db_->NewIterator(leveldb::ReadOptions()));
  i->Seek("c");
  ASSERT_TRUE(i->Valid());
  EXPECT_EQ(i->key().ToString(), "d");
}

TEST_P(RocksDbEngineTest, ReportsWhatItHolds) {
  EXPECT_OK(db_->Put(leveldb::WriteOptions(), "a", std::string(100000, 'x')));
  db_->CompactRange(nullptr, nullptr);
  const leveldb::Range range("a", "b");
  uint64_t size = 1;
  db_->GetApproximateSizes(&range, 1, &size);
  EXPECT_GT(size, 0u);
  std::string text;
  EXPECT_TRUE(db_->GetProperty("rocksdb.stats", &text));
  EXPECT_FALSE(db_->GetProperty("leveldb.stats", &text));
}

TEST_P(RocksDbEngineTest, MakesNewDatabasesOnly) {
  EXPECT_THAT(OpenRocksDb(RocksDbTuning(), path_),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("lock")));
  db_.reset();
  EXPECT_THAT(
      OpenRocksDb(RocksDbTuning(), path_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("exists")));
  EXPECT_THAT(
      OpenRocksDb(RocksDbTuning(), "/dev/null/database"),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("/dev/null")));
}

INSTANTIATE_TEST_SUITE_P(Tunings, RocksDbEngineTest, ::testing::Bool());

#else

TEST(RocksDbEngine, SaysWhatToInstallWhereItIsNotThere) {
  const TempDir dir;
  for (const absl::Status& status :
       {CheckRocksDb(),
        OpenRocksDb(RocksDbTuning(), dir.Join("database")).status()}) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                                 HasSubstr("librocksdb-dev")));
  }
}

#endif

}  // namespace
}  // namespace shardingdb
