// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: snapshots.

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "testing/conformance_suite.h"
#include "testing/random_bytes.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST_P(DbHandleConformance, ASnapshotKeepsWhatWasThere) {
  Put("changed", "old");
  Put("deleted", "old");
  const ScopedSnapshot snapshot(db());
  Put("changed", "new");
  Delete("deleted");
  Put("added", "new");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Get("changed", snapshot.get()), "old");
    EXPECT_EQ(Get("deleted", snapshot.get()), "old");
    EXPECT_EQ(Get("added", snapshot.get()), "(none)");
    bool found = false;
    EXPECT_OK(db()->Has(At(snapshot.get()), "deleted", &found));
    EXPECT_TRUE(found);
    EXPECT_OK(db()->Has(At(snapshot.get()), "added", &found));
    EXPECT_FALSE(found);
    EXPECT_THAT(Contents(snapshot.get()),
                ElementsAre(Pair("changed", "old"), Pair("deleted", "old")));
    EXPECT_THAT(Contents(),
                ElementsAre(Pair("added", "new"), Pair("changed", "new")));
    db()->CompactRange(nullptr, nullptr);
  }
}

TEST_P(DbHandleConformance, ASnapshotOfNothing) {
  const ScopedSnapshot snapshot(db());
  Put("a", "1");
  EXPECT_EQ(Get("a", snapshot.get()), "(none)");
  EXPECT_THAT(Contents(snapshot.get()), IsEmpty());
}

TEST_P(DbHandleConformance, SnapshotsOfManyMomentsInAnyOrderOfRelease) {
  std::vector<std::unique_ptr<ScopedSnapshot>> snapshots;
  std::vector<KeyValues> contents;
  for (int i = 0; i < 16; ++i) {
    Put(NumberedKey(i % 5), absl::StrCat("a", i));
    Put(NumberedKey(i), absl::StrCat("b", i));
    if (i % 4 == 3) Delete(NumberedKey(i - 2));
    contents.push_back(Contents());
    snapshots.push_back(std::make_unique<ScopedSnapshot>(db()));
  }
  // 7 and 16 have no common divisor, so this comes to each of them once.
  for (int i = 0; i < 16; ++i) {
    const int at = i * 7 % 16;
    EXPECT_EQ(Contents(snapshots[at]->get()), contents[at]) << at;
    snapshots[at].reset();
    if (i % 5 == 0) db()->CompactRange(nullptr, nullptr);
    Put(NumberedKey(i), absl::StrCat("c", i));
  }
}

TEST_P(DbHandleConformance, TwoSnapshotsOfOneMoment) {
  Put("a", "1");
  auto first = std::make_unique<ScopedSnapshot>(db());
  const ScopedSnapshot second(db());
  Put("a", "2");
  first.reset();
  db()->CompactRange(nullptr, nullptr);
  EXPECT_EQ(Get("a", second.get()), "1");
}

TEST_P(DbHandleConformance, ASnapshotOutlastsManyOverwrites) {
  const std::string filler = RandomBytes(9, 1000);
  for (int i = 0; i < 50; ++i) Put(NumberedKey(i), "old");
  const KeyValues before = Contents();
  const ScopedSnapshot snapshot(db());
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 50; ++i) {
      if ((i + round) % 7 == 0) {
        Delete(NumberedKey(i));
      } else {
        Put(NumberedKey(i), absl::StrCat(round, filler));
      }
    }
  }
  EXPECT_EQ(Contents(snapshot.get()), before);
  db()->CompactRange(nullptr, nullptr);
  EXPECT_EQ(Contents(snapshot.get()), before);
}

TEST_P(DbHandleConformance, AnIteratorOutlastsItsSnapshot) {
  for (int i = 0; i < 50; ++i) Put(NumberedKey(i), "old");
  const KeyValues before = Contents();
  auto snapshot = std::make_unique<ScopedSnapshot>(db());
  Put(NumberedKey(3), "new");
  const auto iterator = NewIterator(snapshot->get());
  const auto range_iterator = NewRangeIterator("", "", snapshot->get());
  snapshot.reset();
  for (int i = 0; i < 50; ++i) Put(NumberedKey(i), "new");
  db()->CompactRange(nullptr, nullptr);
  EXPECT_EQ(ScanBothWays(iterator.get()), before);
  EXPECT_EQ(ScanBothWays(range_iterator.get()), before);
}

TEST_P(DbHandleConformance, ASnapshotOfAnotherDatabaseIsInvalid) {
  Put("a", "1");
  const std::unique_ptr<DbHandle> other = TakeDb();
  StartAgain(leveldb::BytewiseComparator());
  Put("a", "2");
  {
    const ScopedSnapshot foreign(other.get());
    const leveldb::ReadOptions options = At(foreign.get());
    const auto invalid = LevelDbStatusIs(LevelDbCode::kInvalidArgument);
    std::string value = "before";
    EXPECT_THAT(db()->Get(options, "a", &value), invalid);
    EXPECT_EQ(value, "before");
    bool found = true;
    EXPECT_THAT(db()->Has(options, "a", &found), invalid);
    EXPECT_FALSE(found);
    std::vector<std::string> values;
    const std::vector<leveldb::Status> statuses =
        db()->MultiGet(options, {"a", "b"}, &values);
    EXPECT_THAT(statuses, ElementsAre(invalid, invalid));
    EXPECT_THAT(values, ElementsAre("", ""));
    const std::unique_ptr<leveldb::Iterator> iterators[] = {
        NewIterator(foreign.get()), NewRangeIterator("", "", foreign.get())};
    for (const auto& iterator : iterators) {
      iterator->SeekToFirst();
      EXPECT_FALSE(iterator->Valid());
      EXPECT_THAT(iterator->status(), invalid);
    }
  }
  EXPECT_EQ(Get("a"), "2");
}

}  // namespace
}  // namespace shardingdb
