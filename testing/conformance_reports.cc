// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: GetProperty, GetApproximateSizes, GetStats and
// CompactRange.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "testing/conformance_suite.h"
#include "testing/random_bytes.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::WriteOptions;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_P(DbHandleConformance, KnownProperties) {
  for (int i = 0; i < 100; ++i) Put(NumberedKey(i), RandomBytes(i, 100));
  db()->CompactRange(nullptr, nullptr);
  for (const char* name : {"leveldb.stats", "leveldb.sstables"}) {
    std::string text;
    EXPECT_TRUE(db()->GetProperty(name, &text)) << name;
    EXPECT_THAT(text, Not(IsEmpty())) << name;
  }
  std::vector<std::string> numbers = {"leveldb.approximate-memory-usage"};
  for (int level = 0; level < 7; ++level) {
    numbers.push_back(absl::StrCat("leveldb.num-files-at-level", level));
  }
  for (const std::string& name : numbers) {
    std::string text;
    uint64_t number = 0;
    EXPECT_TRUE(db()->GetProperty(name, &text)) << name;
    EXPECT_TRUE(absl::SimpleAtoi(text, &number)) << name << ": " << text;
  }
}

TEST_P(DbHandleConformance, UnknownProperties) {
  for (const char* name :
       {"", "leveldb", "leveldb.", "stats", "leveldb.statistics",
        "leveldb.stats ", "leveldb.num-files-at-level",
        "leveldb.num-files-at-level7", "leveldb.num-files-at-level-1",
        "leveldb.num-files-at-levelx", "shardingdb.", "rocksdb.stats"}) {
    std::string text;
    EXPECT_FALSE(db()->GetProperty(name, &text)) << name;
  }
}

TEST_P(DbHandleConformance, ApproximateSizesGrowWithTheRange) {
  constexpr int kEntries = 1000;
  for (int i = 0; i < kEntries; ++i) Put(NumberedKey(i), RandomBytes(i, 4000));
  db()->CompactRange(nullptr, nullptr);
  const auto size_of = [this](const std::string& start,
                              const std::string& limit) {
    const leveldb::Range range(start, limit);
    uint64_t size = 12345;
    db()->GetApproximateSizes(&range, 1, &size);
    return size;
  };
  const uint64_t all = size_of("", "z");
  EXPECT_GT(all, uint64_t{kEntries} * 3000);
  EXPECT_LT(all, uint64_t{kEntries} * 8000);
  uint64_t before = 0;
  for (int i = 0; i < kEntries; i += 50) {
    const uint64_t size = size_of("", NumberedKey(i));
    EXPECT_GE(size, before) << i;
    before = size;
  }
  EXPECT_LE(before, all);
  EXPECT_GT(before, all / 2);
  EXPECT_LT(size_of("", NumberedKey(0)), all / 100);
  EXPECT_LT(size_of("l", "z"), all / 100);
  EXPECT_EQ(size_of(NumberedKey(500), NumberedKey(500)), 0u);
  EXPECT_EQ(size_of(NumberedKey(700), NumberedKey(300)), 0u);
}

TEST_P(DbHandleConformance, ApproximateSizesOfSeveralRanges) {
  for (int i = 0; i < 300; ++i) Put(NumberedKey(i), RandomBytes(i, 4000));
  db()->CompactRange(nullptr, nullptr);
  const std::string keys[] = {"", NumberedKey(100), NumberedKey(200), "z"};
  const leveldb::Range ranges[] = {{keys[0], keys[1]},
                                   {keys[0], keys[0]},
                                   {keys[1], keys[2]},
                                   {keys[2], keys[3]},
                                   {keys[0], keys[3]}};
  uint64_t sizes[5];
  db()->GetApproximateSizes(ranges, 5, sizes);
  EXPECT_GT(sizes[0], 200000u);
  EXPECT_EQ(sizes[1], 0u);
  EXPECT_GT(sizes[2], 200000u);
  EXPECT_GT(sizes[3], 200000u);
  EXPECT_GE(sizes[4], std::max({sizes[0], sizes[2], sizes[3]}));
  db()->GetApproximateSizes(nullptr, 0, nullptr);
}

TEST_P(DbHandleConformance, CompactionChangesNoEntry) {
  for (int i = 0; i < 500; ++i) Put(NumberedKey(i), RandomBytes(i, 500));
  for (int i = 0; i < 500; i += 3) Delete(NumberedKey(i));
  const KeyValues before = Contents();
  const std::string from = NumberedKey(100);
  const std::string to = NumberedKey(200);
  const leveldb::Slice from_slice = from;
  const leveldb::Slice to_slice = to;
  db()->CompactRange(&from_slice, &to_slice);
  EXPECT_EQ(Contents(), before);
  db()->CompactRange(nullptr, &to_slice);
  EXPECT_EQ(Contents(), before);
  db()->CompactRange(&from_slice, nullptr);
  EXPECT_EQ(Contents(), before);
  // From behind to before.
  db()->CompactRange(&to_slice, &from_slice);
  EXPECT_EQ(Contents(), before);
  db()->CompactRange(nullptr, nullptr);
  EXPECT_EQ(Contents(), before);
  Reopen();
  EXPECT_EQ(Contents(), before);
}

TEST_P(DbHandleConformance, CompactionGivesSpaceBack) {
  const leveldb::Range all("", "z");
  for (int i = 0; i < 500; ++i) Put(NumberedKey(i), RandomBytes(i, 4000));
  db()->CompactRange(nullptr, nullptr);
  uint64_t full = 0;
  db()->GetApproximateSizes(&all, 1, &full);
  for (int i = 0; i < 500; ++i) Delete(NumberedKey(i));
  db()->CompactRange(nullptr, nullptr);
  uint64_t empty = full;
  db()->GetApproximateSizes(&all, 1, &empty);
  EXPECT_LT(empty, full / 10);
}

TEST_P(DbHandleConformance, StatsOfANewHandle) {
  const DbStats stats = db()->GetStats();
  EXPECT_EQ(stats.shards, GetParam().shards);
  EXPECT_EQ(stats.gets, 0u);
  EXPECT_EQ(stats.gets_found, 0u);
  EXPECT_EQ(stats.puts, 0u);
  EXPECT_EQ(stats.deletes, 0u);
  EXPECT_EQ(stats.bytes_written, 0u);
  EXPECT_EQ(stats.bytes_read, 0u);
  EXPECT_EQ(stats.open_iterators, 0u);
  EXPECT_EQ(stats.open_snapshots, 0u);
  EXPECT_FALSE(stats.read_only);
}

TEST_P(DbHandleConformance, StatsCountWrites) {
  Put("a", RandomBytes(1, 1000));
  Put("b", RandomBytes(2, 1000));
  Delete("a");
  Delete("never there");
  leveldb::WriteBatch batch;
  batch.Put("c", RandomBytes(3, 1000));
  batch.Put("c", RandomBytes(4, 1000));
  batch.Delete("d");
  EXPECT_OK(db()->Write(WriteOptions(), &batch));
  ASSERT_OK(db()->SetReadOnly(true));
  EXPECT_THAT(db()->Put(WriteOptions(), "refused", "1"),
              LevelDbStatusIs(LevelDbCode::kNotSupported));
  const DbStats stats = db()->GetStats();
  EXPECT_EQ(stats.puts, 4u);
  EXPECT_EQ(stats.deletes, 3u);
  // An envelope around a value may be counted, too.
  EXPECT_GE(stats.bytes_written, 4017u);
  EXPECT_LE(stats.bytes_written, 4517u);
  EXPECT_EQ(stats.gets, 0u);
}

TEST_P(DbHandleConformance, StatsCountReads) {
  Put("a", RandomBytes(1, 1000));
  Put("b", RandomBytes(2, 1000));
  Get("a");
  Get("c");
  bool found = false;
  EXPECT_OK(db()->Has(ReadOptions(), "b", &found));
  EXPECT_OK(db()->Has(ReadOptions(), "c", &found));
  std::vector<std::string> values;
  db()->MultiGet(ReadOptions(), {"a", "a", "c"}, &values);
  const DbStats stats = db()->GetStats();
  EXPECT_EQ(stats.gets, 7u);
  EXPECT_EQ(stats.gets_found, 4u);
  EXPECT_GE(stats.bytes_read, 3000u);
  EXPECT_LE(stats.bytes_read, 4500u);
}

TEST_P(DbHandleConformance, StatsCountOpenIteratorsAndSnapshots) {
  Put("a", "1");
  {
    const auto first = NewIterator();
    const auto second = NewRangeIterator("a", "b");
    const ScopedSnapshot snapshot(db());
    EXPECT_EQ(db()->GetStats().open_iterators, 2u);
    EXPECT_EQ(db()->GetStats().open_snapshots, 1u);
    const auto third = NewIterator(snapshot.get());
    EXPECT_EQ(db()->GetStats().open_iterators, 3u);
    EXPECT_EQ(db()->GetStats().open_snapshots, 1u);
  }
  EXPECT_EQ(db()->GetStats().open_iterators, 0u);
  EXPECT_EQ(db()->GetStats().open_snapshots, 0u);
}

TEST_P(DbHandleConformance, MultiGetTakesItsSnapshotAway) {
  for (int i = 0; i < 20; ++i) Put(NumberedKey(i), "1");
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) names.push_back(NumberedKey(i));
  const std::vector<leveldb::Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  EXPECT_THAT(db()->MultiGet(ReadOptions(), keys, &values), Each(IsOk()));
  EXPECT_EQ(db()->GetStats().open_snapshots, 0u);
  EXPECT_EQ(db()->GetStats().open_iterators, 0u);
}

}  // namespace
}  // namespace shardingdb
