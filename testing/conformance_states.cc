// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: SetReadOnly, Close and the destructor.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST_P(DbHandleConformance, ReadOnlyRefusesWritesAndChangesNothing) {
  Put("a", "1");
  ASSERT_OK(db()->SetReadOnly(true));
  EXPECT_TRUE(db()->GetStats().read_only);
  leveldb::WriteBatch batch;
  batch.Put("a", "2");
  batch.Put("b", "2");
  const auto refused = LevelDbStatusIs(LevelDbCode::kNotSupported);
  EXPECT_THAT(db()->Put(WriteOptions(), "a", "2"), refused);
  EXPECT_THAT(db()->Put(WriteOptions(), "b", "2"), refused);
  EXPECT_THAT(db()->Delete(WriteOptions(), "a"), refused);
  EXPECT_THAT(db()->Delete(WriteOptions(), "never there"), refused);
  EXPECT_THAT(db()->Write(WriteOptions(), &batch), refused);
  EXPECT_THAT(Contents(), ElementsAre(Pair("a", "1")));
}

TEST_P(DbHandleConformance, ReadOnlyStillReads) {
  Put("a", "1");
  Put("b", "2");
  ASSERT_OK(db()->SetReadOnly(true));
  EXPECT_EQ(Get("a"), "1");
  bool found = false;
  EXPECT_OK(db()->Has(ReadOptions(), "a", &found));
  EXPECT_TRUE(found);
  std::vector<std::string> values;
  EXPECT_THAT(db()->MultiGet(ReadOptions(), {"b", "c"}, &values),
              ElementsAre(IsOk(), IsLevelDbNotFound()));
  const ScopedSnapshot snapshot(db());
  EXPECT_THAT(Contents(snapshot.get()),
              ElementsAre(Pair("a", "1"), Pair("b", "2")));
  EXPECT_EQ(ScanBothWays(NewRangeIterator("b", "").get()).size(), 1u);
  db()->CompactRange(nullptr, nullptr);
  EXPECT_EQ(Get("b"), "2");
  std::string text;
  EXPECT_TRUE(db()->GetProperty("leveldb.stats", &text));
}

TEST_P(DbHandleConformance, ReadOnlyEnds) {
  ASSERT_OK(db()->SetReadOnly(true));
  ASSERT_OK(db()->SetReadOnly(true));
  EXPECT_THAT(db()->Put(WriteOptions(), "a", "1"),
              LevelDbStatusIs(LevelDbCode::kNotSupported));
  ASSERT_OK(db()->SetReadOnly(false));
  EXPECT_FALSE(db()->GetStats().read_only);
  EXPECT_OK(db()->Put(WriteOptions(), "a", "2"));
  ASSERT_OK(db()->SetReadOnly(false));
  EXPECT_EQ(Get("a"), "2");
}

TEST_P(DbHandleConformance, ReadOnlyIsNotRemembered) {
  Put("a", "1");
  ASSERT_OK(db()->SetReadOnly(true));
  if (!GetParam().persistent) return;
  Reopen();
  EXPECT_FALSE(db()->GetStats().read_only);
  Put("b", "2");
  EXPECT_THAT(Contents(), ElementsAre(Pair("a", "1"), Pair("b", "2")));
}

TEST_P(DbHandleConformance, CloseIsRefusedWhileIteratorsAreOpen) {
  Put("a", "1");
  std::unique_ptr<leveldb::Iterator> iterators[] = {NewIterator(),
                                                    NewRangeIterator("", "")};
  for (auto& iterator : iterators) {
    EXPECT_THAT(db()->Close(), LevelDbStatusIs(LevelDbCode::kInvalidArgument));
    Put("a", "2");
    EXPECT_EQ(Get("a"), "2");
    EXPECT_THAT(ScanBothWays(iterator.get()), ElementsAre(Pair("a", "1")));
    iterator.reset();
  }
  EXPECT_OK(db()->Close());
}

TEST_P(DbHandleConformance, CloseIsRefusedWhileSnapshotsAreOpen) {
  Put("a", "1");
  {
    const ScopedSnapshot snapshot(db());
    EXPECT_THAT(db()->Close(), LevelDbStatusIs(LevelDbCode::kInvalidArgument));
    Put("a", "2");
    EXPECT_EQ(Get("a", snapshot.get()), "1");
    EXPECT_EQ(Get("a"), "2");
  }
  EXPECT_OK(db()->Close());
}

TEST_P(DbHandleConformance, EveryCallAfterCloseFails) {
  Put("a", "1");
  ASSERT_OK(db()->Close());
  const auto closed =
      LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("closed"));
  leveldb::WriteBatch batch;
  batch.Put("a", "2");
  std::string value = "before";
  bool found = true;
  std::vector<std::string> values;
  EXPECT_THAT(db()->Put(WriteOptions(), "a", "2"), closed);
  EXPECT_THAT(db()->Delete(WriteOptions(), "a"), closed);
  EXPECT_THAT(db()->Write(WriteOptions(), &batch), closed);
  EXPECT_THAT(db()->Get(ReadOptions(), "a", &value), closed);
  EXPECT_EQ(value, "before");
  EXPECT_THAT(db()->Has(ReadOptions(), "a", &found), closed);
  EXPECT_FALSE(found);
  EXPECT_THAT(db()->MultiGet(ReadOptions(), {"a", "b"}, &values),
              ElementsAre(closed, closed));
  EXPECT_THAT(values, ElementsAre("", ""));
  EXPECT_THAT(db()->SetReadOnly(true), closed);
  EXPECT_FALSE(db()->GetProperty("leveldb.stats", &value));
  const leveldb::Range range("", "z");
  uint64_t size = 12345;
  db()->GetApproximateSizes(&range, 1, &size);
  EXPECT_EQ(size, 0u);
  db()->CompactRange(nullptr, nullptr);
  db()->GetStats();
  EXPECT_STREQ(db()->comparator()->Name(),
               leveldb::BytewiseComparator()->Name());
}

TEST_P(DbHandleConformance, IteratorsAndSnapshotsAfterClose) {
  Put("a", "1");
  ASSERT_OK(db()->Close());
  const ScopedSnapshot snapshot(db());
  for (const leveldb::Snapshot* at :
       {static_cast<const leveldb::Snapshot*>(nullptr), snapshot.get()}) {
    const std::unique_ptr<leveldb::Iterator> iterators[] = {
        NewIterator(at), NewRangeIterator("", "", at)};
    for (const auto& iterator : iterators) {
      ASSERT_NE(iterator, nullptr);
      iterator->SeekToFirst();
      EXPECT_FALSE(iterator->Valid());
      iterator->SeekToLast();
      EXPECT_FALSE(iterator->Valid());
      iterator->Seek("a");
      EXPECT_FALSE(iterator->Valid());
      EXPECT_THAT(iterator->status(),
                  LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("closed")));
    }
  }
}

TEST_P(DbHandleConformance, CloseTwice) {
  Put("a", "1");
  EXPECT_OK(db()->Close());
  EXPECT_OK(db()->Close());
}

TEST_P(DbHandleConformance, AClosedDatabaseCanBeOpenedByAnotherHandle) {
  Put("a", "1");
  if (!GetParam().persistent) return;
  ASSERT_OK(db()->Close());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> second, Open());
  std::string value;
  EXPECT_OK(second->Get(ReadOptions(), "a", &value));
  EXPECT_EQ(value, "1");
  EXPECT_OK(db()->Close());
  EXPECT_OK(second->Put(WriteOptions(), "a", "2"));
}

TEST_P(DbHandleConformance, TheDestructorCloses) {
  Put("a", "1");
  TakeDb().reset();
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> second, Open());
  std::string value;
  const leveldb::Status status = second->Get(ReadOptions(), "a", &value);
  if (GetParam().persistent) {
    EXPECT_OK(status);
    EXPECT_EQ(value, "1");
  } else {
    EXPECT_THAT(status, IsLevelDbNotFound());
  }
}

#ifdef NDEBUG
TEST_P(DbHandleConformance, AnIteratorThatOutlivesItKeepsTheDatabase) {
  for (int i = 0; i < 100; ++i) Put(NumberedKey(i), RandomBytes(i, 1000));
  db()->CompactRange(nullptr, nullptr);
  const KeyValues before = Contents();
  std::unique_ptr<leveldb::Iterator> iterators[] = {NewIterator(),
                                                    NewRangeIterator("", "")};
  TakeDb().reset();
  for (auto& iterator : iterators) {
    EXPECT_EQ(ScanBothWays(iterator.get()), before);
    iterator.reset();
  }
  EXPECT_OK(Open());
}
#else
TEST_P(DbHandleConformance, AnIteratorThatOutlivesItIsAnErrorInDebugBuilds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto iterator = NewIterator();
  EXPECT_DEATH(TakeDb().reset(), "an iterator outlives its database");
}
#endif

}  // namespace
}  // namespace shardingdb
