// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: Write and MultiGet.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "testing/conformance_suite.h"
#include "testing/random_bytes.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::Status;
using ::leveldb::WriteBatch;
using ::leveldb::WriteOptions;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST_P(DbHandleConformance, ABatchIsAppliedInItsOrder) {
  Put("deleted", "old");
  Put("overwritten", "old");
  WriteBatch batch;
  batch.Put("put", "1");
  batch.Delete("deleted");
  batch.Put("overwritten", "new");
  batch.Put("put twice", "1");
  batch.Put("put twice", "2");
  batch.Put("put, deleted", "1");
  batch.Delete("put, deleted");
  batch.Delete("deleted, put");
  batch.Put("deleted, put", "1");
  batch.Put("put, deleted, put", "1");
  batch.Delete("put, deleted, put");
  batch.Put("put, deleted, put", "2");
  batch.Delete("never there");
  EXPECT_OK(db()->Write(WriteOptions(), &batch));
  const auto expected = ElementsAre(
      Pair("deleted, put", "1"), Pair("overwritten", "new"), Pair("put", "1"),
      Pair("put twice", "2"), Pair("put, deleted, put", "2"));
  EXPECT_THAT(Contents(), expected);
  Reopen();
  EXPECT_THAT(Contents(), expected);
}

TEST_P(DbHandleConformance, AnEmptyBatchIsOkAndChangesNothing) {
  WriteBatch batch;
  EXPECT_OK(db()->Write(WriteOptions(), &batch));
  EXPECT_THAT(Contents(), IsEmpty());
  Put("a", "1");
  WriteOptions sync;
  sync.sync = true;
  EXPECT_OK(db()->Write(sync, &batch));
  EXPECT_THAT(Contents(), ElementsAre(Pair("a", "1")));
}

TEST_P(DbHandleConformance, NoBatchIsInvalid) {
  EXPECT_THAT(db()->Write(WriteOptions(), nullptr),
              LevelDbStatusIs(LevelDbCode::kInvalidArgument));
  Put("a", "1");
  EXPECT_EQ(Get("a"), "1");
}

TEST_P(DbHandleConformance, ABatchCanBeWrittenAgain) {
  WriteBatch batch;
  batch.Put("a", "1");
  batch.Delete("b");
  for (int i = 0; i < 3; ++i) {
    Put("a", "other");
    Put("b", "other");
    EXPECT_OK(db()->Write(WriteOptions(), &batch));
    EXPECT_THAT(Contents(), ElementsAre(Pair("a", "1")));
  }
  batch.Clear();
  batch.Put("c", "2");
  EXPECT_OK(db()->Write(WriteOptions(), &batch));
  EXPECT_THAT(Contents(), ElementsAre(Pair("a", "1"), Pair("c", "2")));
}

TEST_P(DbHandleConformance, ABatchMadeOfBatches) {
  WriteBatch first;
  first.Put("a", "1");
  first.Put("b", "1");
  WriteBatch second;
  second.Delete("a");
  second.Put("b", "2");
  first.Append(second);
  EXPECT_OK(db()->Write(WriteOptions(), &first));
  EXPECT_THAT(Contents(), ElementsAre(Pair("b", "2")));
}

TEST_P(DbHandleConformance, ABatchWithEmptyKeysAndValues) {
  Put("x", "1");
  WriteBatch batch;
  batch.Put("", "");
  batch.Put("a", "");
  batch.Put(std::string(3, '\0'), std::string(2, '\0'));
  batch.Delete("x");
  EXPECT_OK(db()->Write(WriteOptions(), &batch));
  EXPECT_THAT(Contents(),
              ElementsAre(Pair("", ""),
                          Pair(std::string(3, '\0'), std::string(2, '\0')),
                          Pair("a", "")));
}

TEST_P(DbHandleConformance, BatchesLargerThanAWriteBuffer) {
  constexpr int kEntries = 20000;
  for (int round = 0; round < 2; ++round) {
    WriteBatch batch;
    for (int i = 0; i < kEntries; ++i) {
      batch.Put(NumberedKey(i), absl::StrCat(round, ".", i));
    }
    // Five megabytes in one piece.
    batch.Put("long", RandomBytes(round, size_t{5} << 20));
    EXPECT_OK(db()->Write(WriteOptions(), &batch));
  }
  Reopen();
  EXPECT_TRUE(Get("long") == RandomBytes(1, size_t{5} << 20));
  EXPECT_EQ(Contents().size(), size_t{kEntries + 1});
  for (int i = 0; i < kEntries; i += 97) {
    EXPECT_EQ(Get(NumberedKey(i)), absl::StrCat("1.", i));
  }
  WriteBatch batch;
  for (int i = 0; i < kEntries; ++i) batch.Delete(NumberedKey(i));
  EXPECT_OK(db()->Write(WriteOptions(), &batch));
  EXPECT_EQ(Contents().size(), 1u);
}

TEST_P(DbHandleConformance, MultiGetAnswersInTheOrderOfItsKeys) {
  for (int i = 0; i < 30; i += 2) Put(NumberedKey(i), absl::StrCat(i));
  std::vector<std::string> names;
  for (int i = 29; i >= 0; --i) names.push_back(NumberedKey(i));
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<std::string> values = {"before"};
  const std::vector<Status> statuses =
      db()->MultiGet(ReadOptions(), keys, &values);
  ASSERT_EQ(statuses.size(), keys.size());
  ASSERT_EQ(values.size(), keys.size());
  for (int i = 0; i < 30; ++i) {
    const int number = 29 - i;
    if (number % 2 == 0) {
      EXPECT_OK(statuses[i]);
      EXPECT_EQ(values[i], absl::StrCat(number));
    } else {
      EXPECT_THAT(statuses[i], IsLevelDbNotFound());
      EXPECT_EQ(values[i], "");
    }
  }
}

TEST_P(DbHandleConformance, MultiGetOfRepeatedKeys) {
  Put("a", "1");
  Put("", "2");
  std::vector<std::string> values(10, "before");
  EXPECT_THAT(
      db()->MultiGet(ReadOptions(), {"a", "b", "a", "", "b", ""}, &values),
      ElementsAre(IsOk(), IsLevelDbNotFound(), IsOk(), IsOk(),
                  IsLevelDbNotFound(), IsOk()));
  EXPECT_THAT(values, ElementsAre("1", "", "1", "2", "", "2"));
}

TEST_P(DbHandleConformance, MultiGetOfNoKeys) {
  std::vector<std::string> values = {"before"};
  EXPECT_THAT(db()->MultiGet(ReadOptions(), {}, &values), IsEmpty());
  EXPECT_THAT(values, IsEmpty());
}

TEST_P(DbHandleConformance, MultiGetAtASnapshot) {
  Put("a", "1");
  Put("b", "1");
  const ScopedSnapshot snapshot(db());
  Put("a", "2");
  Delete("b");
  Put("c", "2");
  std::vector<std::string> values;
  EXPECT_THAT(db()->MultiGet(At(snapshot.get()), {"a", "b", "c"}, &values),
              ElementsAre(IsOk(), IsOk(), IsLevelDbNotFound()));
  EXPECT_THAT(values, ElementsAre("1", "1", ""));
  EXPECT_THAT(db()->MultiGet(ReadOptions(), {"a", "b", "c"}, &values),
              ElementsAre(IsOk(), IsLevelDbNotFound(), IsOk()));
  EXPECT_THAT(values, ElementsAre("2", "", "2"));
}

}  // namespace
}  // namespace shardingdb
