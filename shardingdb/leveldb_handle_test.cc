// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What a LevelDbHandle promises as a DbHandle beyond what the conformance suite
// in //testing asks of every handle.

#include "shardingdb/leveldb_handle.h"

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LevelDbHandleTest : public ::testing::Test {
 protected:
  LevelDbHandleTest() { Open(); }

  void Open() {
    auto opened = OpenLevelDb(dir_.Join("db"), ShardOptions());
    ASSERT_THAT(opened, IsOk());
    db_ = *std::move(opened);
  }

  std::string Read(const std::string& key,
                   const leveldb::ReadOptions& options = {}) {
    std::string value;
    const leveldb::Status status = db_->Get(options, key, &value);
    return status.ok() ? value : status.ToString();
  }

  TempDir dir_;
  const leveldb::ReadOptions read_;
  const leveldb::WriteOptions write_;
  std::unique_ptr<DbHandle> db_;
};

TEST_F(LevelDbHandleTest, KeepsEntriesOverAReopening) {
  ASSERT_OK(db_->Put(write_, "a", "1"));
  ASSERT_OK(db_->Put(write_, "", ""));
  ASSERT_OK(db_->Put(write_, "b", "2"));
  ASSERT_OK(db_->Delete(write_, "b"));
  ASSERT_OK(db_->Close());
  Open();
  EXPECT_EQ(Read("a"), "1");
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("b"), "NotFound: ");
}

TEST_F(LevelDbHandleTest, TakesValuesOf64MiB) {
  const std::string value(64 << 20, 'v');
  ASSERT_OK(db_->Put(write_, "big", value));
  std::string found;
  ASSERT_OK(db_->Get(read_, "big", &found));
  EXPECT_TRUE(found == value);
}

TEST_F(LevelDbHandleTest, NullPointersAreRefused) {
  EXPECT_THAT(
      db_->Write(write_, nullptr),
      LevelDbStatusIs(LevelDbCode::kInvalidArgument, HasSubstr("null")));
  EXPECT_THAT(
      db_->Get(read_, "a", nullptr),
      LevelDbStatusIs(LevelDbCode::kInvalidArgument, HasSubstr("null")));
  EXPECT_THAT(
      db_->Has(read_, "a", nullptr),
      LevelDbStatusIs(LevelDbCode::kInvalidArgument, HasSubstr("null")));
  EXPECT_THAT(db_->MultiGet(read_, {"a", "b"}, nullptr),
              ElementsAre(LevelDbStatusIs(LevelDbCode::kInvalidArgument),
                          LevelDbStatusIs(LevelDbCode::kInvalidArgument)));
  EXPECT_FALSE(db_->GetProperty("leveldb.stats", nullptr));
  db_->GetApproximateSizes(nullptr, 1, nullptr);
  db_->ReleaseSnapshot(nullptr);
}

TEST_F(LevelDbHandleTest, HasSaysWhetherThereIsAValue) {
  ASSERT_OK(db_->Put(write_, "empty", ""));
  bool found = false;
  ASSERT_OK(db_->Has(read_, "empty", &found));
  EXPECT_TRUE(found);
  ASSERT_OK(db_->Has(read_, "other", &found));
  EXPECT_FALSE(found);
}

TEST_F(LevelDbHandleTest, MultiGetTakesKeysThatRepeat) {
  ASSERT_OK(db_->Put(write_, "a", "1"));
  ASSERT_OK(db_->Put(write_, "b", "2"));
  std::vector<std::string> values = {"old", "old", "old", "old", "old"};
  EXPECT_THAT(db_->MultiGet(read_, {"b", "x", "a", "b"}, &values),
              ElementsAre(IsOk(), IsLevelDbNotFound(), IsOk(), IsOk()));
  EXPECT_THAT(values, ElementsAre("2", "", "1", "2"));
  EXPECT_THAT(db_->MultiGet(read_, {}, &values), ElementsAre());
  EXPECT_THAT(values, ElementsAre());
}

TEST_F(LevelDbHandleTest, MultiGetSeesOnePointInTime) {
  std::atomic<bool> stop{false};
  std::thread writer([this, &stop] {
    for (int i = 0; !stop; ++i) {
      leveldb::WriteBatch batch;
      batch.Put("a", std::to_string(i));
      batch.Put("b", std::to_string(i));
      ASSERT_OK(db_->Write(write_, &batch));
    }
  });
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> values;
    ASSERT_EQ(db_->MultiGet(read_, {"a", "b"}, &values).size(), 2U);
    ASSERT_EQ(values[0], values[1]);
  }
  stop = true;
  writer.join();
}

TEST_F(LevelDbHandleTest, SnapshotsKeepWhatTheySaw) {
  ASSERT_OK(db_->Put(write_, "a", "1"));
  {
    const ScopedSnapshot snapshot(db_.get());
    leveldb::ReadOptions at;
    at.snapshot = snapshot.get();
    ASSERT_OK(db_->Put(write_, "a", "2"));
    EXPECT_EQ(Read("a", at), "1");
    EXPECT_EQ(Read("a"), "2");
    std::vector<std::string> values;
    EXPECT_THAT(db_->MultiGet(at, {"a", "a"}, &values),
                ElementsAre(IsOk(), IsOk()));
    EXPECT_THAT(values, ElementsAre("1", "1"));
    const auto iterator = db_->NewRangeIterator(at, leveldb::Range("a", ""));
    iterator->SeekToFirst();
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->value(), "1");
  }
  EXPECT_EQ(db_->GetStats().open_snapshots, 0U);
}

TEST_F(LevelDbHandleTest, ASnapshotOfAnotherDatabaseIsRefused) {
  leveldb::DB* opened = nullptr;
  leveldb::Options options;
  options.create_if_missing = true;
  ASSERT_OK(leveldb::DB::Open(options, dir_.Join("plain"), &opened));
  const std::unique_ptr<leveldb::DB> plain(opened);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> other,
                       OpenLevelDb(dir_.Join("other"), ShardOptions()));
  for (leveldb::DB* const db :
       {plain.get(), static_cast<leveldb::DB*>(other.get())}) {
    const ScopedSnapshot snapshot(db);
    leveldb::ReadOptions at;
    at.snapshot = snapshot.get();
    const auto is_refused = LevelDbStatusIs(LevelDbCode::kInvalidArgument,
                                            HasSubstr("another database"));
    std::string value;
    EXPECT_THAT(db_->Get(at, "a", &value), is_refused);
    bool found;
    EXPECT_THAT(db_->Has(at, "a", &found), is_refused);
    std::vector<std::string> values;
    EXPECT_THAT(db_->MultiGet(at, {"a"}, &values), ElementsAre(is_refused));
    const std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(at));
    EXPECT_FALSE(iterator->Valid());
    EXPECT_THAT(iterator->status(), is_refused);
  }
}

TEST_F(LevelDbHandleTest, RangeIteratorsStayInTheirRange) {
  for (const char* key : {"a", "b", "c", "d"}) {
    ASSERT_OK(db_->Put(write_, key, key));
  }
  const auto iterator = db_->NewRangeIterator(read_, leveldb::Range("b", "d"));
  iterator->SeekToLast();
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->key(), "c");
  iterator->Seek("a");
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->key(), "b");
  iterator->Prev();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_OK(iterator->status());
}

TEST_F(LevelDbHandleTest, ReadOnlyRefusesWritesOnly) {
  ASSERT_OK(db_->Put(write_, "a", "1"));
  EXPECT_FALSE(db_->GetStats().read_only);
  ASSERT_OK(db_->SetReadOnly(true));
  EXPECT_TRUE(db_->GetStats().read_only);
  const auto is_refused =
      LevelDbStatusIs(LevelDbCode::kNotSupported, HasSubstr("read-only"));
  leveldb::WriteBatch batch;
  batch.Put("a", "2");
  EXPECT_THAT(db_->Put(write_, "a", "2"), is_refused);
  EXPECT_THAT(db_->Delete(write_, "a"), is_refused);
  EXPECT_THAT(db_->Write(write_, &batch), is_refused);
  EXPECT_EQ(Read("a"), "1");
  db_->CompactRange(nullptr, nullptr);
  ASSERT_OK(db_->SetReadOnly(false));
  EXPECT_OK(db_->Write(write_, &batch));
  EXPECT_EQ(Read("a"), "2");
}

TEST_F(LevelDbHandleTest, NoWriteIsUnderWayOnceItIsReadOnly) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int t = 0; t < 3; ++t) {
    writers.emplace_back([this, &stop] {
      for (int i = 0; !stop; ++i) {
        const leveldb::Status status =
            db_->Put(write_, "counter", std::to_string(i));
        if (!status.ok()) {
          EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kNotSupported));
          std::this_thread::yield();
        }
      }
    });
  }
  for (int round = 0; round < 30; ++round) {
    ASSERT_OK(db_->SetReadOnly(true));
    const std::string before = Read("counter");
    for (int i = 0; i < 20; ++i) {
      std::this_thread::yield();
      ASSERT_EQ(Read("counter"), before);
    }
    ASSERT_OK(db_->SetReadOnly(false));
    std::this_thread::yield();
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
}

TEST_F(LevelDbHandleTest, EveryCallAfterCloseFails) {
  ASSERT_OK(db_->Put(write_, "a", "1"));
  ASSERT_OK(db_->Close());
  EXPECT_OK(db_->Close());
  const auto is_closed =
      LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("closed"));
  leveldb::WriteBatch batch;
  std::string value;
  bool found;
  std::vector<std::string> values;
  EXPECT_THAT(db_->Put(write_, "a", "1"), is_closed);
  EXPECT_THAT(db_->Delete(write_, "a"), is_closed);
  EXPECT_THAT(db_->Write(write_, &batch), is_closed);
  EXPECT_THAT(db_->Get(read_, "a", &value), is_closed);
  EXPECT_THAT(db_->Has(read_, "a", &found), is_closed);
  EXPECT_THAT(db_->MultiGet(read_, {"a"}, &values), ElementsAre(is_closed));
  EXPECT_THAT(values, ElementsAre(""));
  EXPECT_THAT(db_->SetReadOnly(true), is_closed);
  const std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(read_));
  EXPECT_FALSE(iterator->Valid());
  EXPECT_THAT(iterator->status(), is_closed);
  const auto part = db_->NewRangeIterator(read_, leveldb::Range("a", "b"));
  EXPECT_FALSE(part->Valid());
  EXPECT_THAT(part->status(), is_closed);
  const leveldb::Snapshot* const snapshot = db_->GetSnapshot();
  db_->ReleaseSnapshot(snapshot);
  EXPECT_FALSE(db_->GetProperty("leveldb.stats", &value));
  const leveldb::Range range("a", "b");
  uint64_t size = 7;
  db_->GetApproximateSizes(&range, 1, &size);
  EXPECT_EQ(size, 0U);
  db_->CompactRange(nullptr, nullptr);
  EXPECT_EQ(db_->comparator(), leveldb::BytewiseComparator());
  const DbStats stats = db_->GetStats();
  EXPECT_EQ(stats.puts, 1U);
  EXPECT_EQ(stats.memory_bytes, 0U);
}

TEST_F(LevelDbHandleTest, CloseRefusesWhileIteratorsOrSnapshotsAreOpen) {
  ASSERT_OK(db_->Put(write_, "a", "1"));
  std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(read_));
  EXPECT_THAT(db_->Close(), LevelDbStatusIs(LevelDbCode::kInvalidArgument,
                                            HasSubstr("1 iterators")));
  iterator.reset();
  const leveldb::Snapshot* const snapshot = db_->GetSnapshot();
  EXPECT_THAT(db_->Close(), LevelDbStatusIs(LevelDbCode::kInvalidArgument,
                                            HasSubstr("1 snapshots")));
  EXPECT_EQ(Read("a"), "1");
  db_->ReleaseSnapshot(snapshot);
  EXPECT_OK(db_->Close());
}

#ifdef NDEBUG
TEST_F(LevelDbHandleTest, AnIteratorThatOutlivesItKeepsTheDatabase) {
  ASSERT_OK(db_->Put(write_, "a", "1"));
  std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(read_));
  db_.reset();
  iterator->SeekToFirst();
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->value(), "1");
  EXPECT_THAT(OpenLevelDb(dir_.Join("db"), ShardOptions()),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  iterator.reset();
  EXPECT_THAT(OpenLevelDb(dir_.Join("db"), ShardOptions()), IsOk());
}

TEST_F(LevelDbHandleTest, AnIteratorThatOutlivesItKeepsTheLogger) {
  class Silent : public leveldb::Logger {
    void Logv(const char*, std::va_list) override {}
  };
  ShardOptions options;
  options.logger = std::make_shared<Silent>();
  const std::weak_ptr<leveldb::Logger> logger = options.logger;
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<DbHandle> db,
                       OpenLevelDb(dir_.Join("logged"), options));
  options.logger.reset();
  std::unique_ptr<leveldb::Iterator> iterator(db->NewIterator(read_));
  db.reset();
  EXPECT_FALSE(logger.expired());
  iterator.reset();
  EXPECT_TRUE(logger.expired());
}
#else
TEST_F(LevelDbHandleTest, AnIteratorThatOutlivesItIsAnErrorInDebugBuilds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(read_));
  EXPECT_DEATH(db_.reset(), "an iterator outlives its database");
}

TEST_F(LevelDbHandleTest, ASnapshotThatOutlivesItIsAnErrorInDebugBuilds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const ScopedSnapshot snapshot(db_.get());
  EXPECT_DEATH(db_.reset(), "a snapshot outlives its database");
}
#endif

TEST_F(LevelDbHandleTest, PropertiesAndSizesAreLevelDbs) {
  std::string value;
  EXPECT_TRUE(db_->GetProperty("leveldb.num-files-at-level0", &value));
  EXPECT_EQ(value, "0");
  EXPECT_FALSE(db_->GetProperty("no-such-property", &value));
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(db_->Put(write_, absl::StrCat(i), std::string(10000, i)));
  }
  db_->CompactRange(nullptr, nullptr);
  const leveldb::Range ranges[] = {leveldb::Range("0", "z"),
                                   leveldb::Range("x", "z")};
  uint64_t sizes[2];
  db_->GetApproximateSizes(ranges, 2, sizes);
  EXPECT_GT(sizes[0], 10000U);
  EXPECT_EQ(sizes[1], 0U);
  db_->GetApproximateSizes(ranges, 0, nullptr);
}

TEST_F(LevelDbHandleTest, WrapsADatabaseThatTheCallerOpened) {
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* opened = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, dir_.Join("plain"), &opened));
  ASSERT_OK(opened->Put(write_, "a", "1"));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                       WrapLevelDb(std::unique_ptr<leveldb::DB>(opened)));
  std::string value;
  EXPECT_OK(db->Get(read_, "a", &value));
  EXPECT_EQ(value, "1");
  EXPECT_EQ(db->comparator(), leveldb::BytewiseComparator());
  const DbStats stats = db->GetStats();
  EXPECT_EQ(stats.block_cache, nullptr);
  EXPECT_EQ(stats.memory_bytes, stats.memtable_bytes);
  EXPECT_GT(stats.memory_bytes, 0U);
  EXPECT_OK(db->Close());
  EXPECT_OK(leveldb::DB::Open(options, dir_.Join("plain"), &opened));
  delete opened;
}

TEST_F(LevelDbHandleTest, WrapRefusesNull) {
  EXPECT_THAT(WrapLevelDb(nullptr),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("null")));
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* opened = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, dir_.Join("plain"), &opened));
  EXPECT_THAT(
      WrapLevelDb(std::unique_ptr<leveldb::DB>(opened), nullptr),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("comparator")));
}

}  // namespace
}  // namespace shardingdb
