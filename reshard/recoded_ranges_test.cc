// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/recoded_ranges.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/reserved_key.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The bytes, as docs/formats/reshard-marker.md has them.
constexpr absl::string_view kRecordKey = "\xff\xff\xff\xffshardingdb:recoded:";

class RecodedRangesTest : public ::testing::Test {
 protected:
  RecodedRangesTest() {
    auto db = OpenLevelDb(dir_.Join("db"), ShardOptions());
    EXPECT_OK(db.status());
    db_ = *std::move(db);
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_OK(db_->Put(leveldb::WriteOptions(), key, value));
  }
  void PutRange(const std::string& first, const std::string& last) {
    leveldb::WriteBatch batch;
    PutRecodedRange(first, last, forms_, &batch);
    ASSERT_OK(db_->Write(leveldb::WriteOptions(), &batch));
  }

  TempDir dir_;
  std::unique_ptr<DbHandle> db_;
  const ValueForms forms_ = {"plain", "key-ring 00ff"};
};

TEST_F(RecodedRangesTest, HasTheBytesOfItsFormat) {
  PutRange("first", "last\n");
  std::string value;
  ASSERT_OK(db_->Get(leveldb::ReadOptions(), absl::StrCat(kRecordKey, "first"),
                     &value));
  EXPECT_EQ(value, "1\nplain\nkey-ring 00ff\nlast\n");
}

TEST_F(RecodedRangesTest, CoversWhatIsBetweenAndBothEnds) {
  PutRange("", "b");
  PutRange("d", "d");
  PutRange("f", std::string("h\0", 2));
  Put("user key", "value");
  ASSERT_OK_AND_ASSIGN(RecodedRanges ranges,
                       RecodedRanges::Read(db_.get(), forms_));
  EXPECT_FALSE(ranges.empty());
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(ranges.Covers(""));
    EXPECT_TRUE(ranges.Covers("a"));
    EXPECT_TRUE(ranges.Covers("b"));
    EXPECT_FALSE(ranges.Covers(std::string("b\0", 2)));
    EXPECT_FALSE(ranges.Covers("c"));
    EXPECT_TRUE(ranges.Covers("d"));
    EXPECT_FALSE(ranges.Covers("e"));
    EXPECT_TRUE(ranges.Covers("g"));
    EXPECT_TRUE(ranges.Covers("h"));
    EXPECT_FALSE(ranges.Covers("h1"));
    EXPECT_FALSE(ranges.Covers("z"));
    ranges.Rewind();
  }
}

TEST_F(RecodedRangesTest, WithoutRecordsNothingIsCovered) {
  Put("\xff\xff\xff\xff", "a user's");
  Put("\xff\xff\xff\xffzzz", "another's");
  ASSERT_OK_AND_ASSIGN(RecodedRanges ranges,
                       RecodedRanges::Read(db_.get(), forms_));
  EXPECT_TRUE(ranges.empty());
  EXPECT_FALSE(ranges.Covers(""));
}

TEST_F(RecodedRangesTest, RecordsOfAnotherChangeAreRefused) {
  PutRange("a", "b");
  for (const ValueForms& forms : {ValueForms{"plain", "key-ring 11ff"},
                                  ValueForms{"key-ring 00ff", "plain"}}) {
    EXPECT_THAT(RecodedRanges::Read(db_.get(), forms),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("from plain to key-ring 00ff")));
  }
}

TEST_F(RecodedRangesTest, WhatIsNoRecordIsRefused) {
  Put(absl::StrCat(kReservedKeyPrefix, "else"), "value");
  EXPECT_THAT(RecodedRanges::Read(db_.get(), forms_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("begins as reserved keys do")));
}

TEST_F(RecodedRangesTest, DamageIsNoticed) {
  for (const char* value :
       {"", "1\nplain\nkey-ring 00ff", "1\nplain\nkey-ring 00ff\na"}) {
    Put(absl::StrCat(kRecordKey, "b"), value);
    EXPECT_THAT(RecodedRanges::Read(db_.get(), forms_),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("damaged")));
  }
  Put(absl::StrCat(kRecordKey, "b"), "2\nplain\nkey-ring 00ff\nb");
  EXPECT_THAT(RecodedRanges::Read(db_.get(), forms_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("newer version")));
}

TEST_F(RecodedRangesTest, AreRemovedAndNothingElseIs) {
  PutRange("", "b");
  PutRange("c", "d");
  Put("\xff\xff\xff\xffshardingdb", "a user's");
  Put("\xff\xff\xff\xffshardingdb;", "another's");
  ASSERT_OK(RemoveRecodedRanges(db_.get()));
  const std::unique_ptr<leveldb::Iterator> iterator(
      db_->NewIterator(leveldb::ReadOptions()));
  int left = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    EXPECT_FALSE(IsReservedKey(iterator->key()));
    ++left;
  }
  EXPECT_EQ(left, 2);
}

TEST_F(RecodedRangesTest, AReservedKeyIsNoEntry) {
  EXPECT_OK(CheckNotRecoding("\xff\xff\xff\xff"));
  EXPECT_OK(CheckNotRecoding(""));
  EXPECT_THAT(
      CheckNotRecoding(kRecordKey.data()),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("reserved key"), HasSubstr("unfinished"))));
}

}  // namespace
}  // namespace shardingdb
