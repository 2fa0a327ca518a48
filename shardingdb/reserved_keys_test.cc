// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/reserved_keys.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/write_batch.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/sharding_db.h"
#include "testing/comparators.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

// An order in which letters of both cases are the same, so that a user's key
// may equal that of a label.
class NoCase final : public leveldb::Comparator {
 public:
  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    return absl::AsciiStrToLower(a.ToString())
        .compare(absl::AsciiStrToLower(b.ToString()));
  }
  const char* Name() const override { return "shardingdb.test.NoCase"; }
  void FindShortestSeparator(std::string*,
                             const leveldb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

const leveldb::Comparator* NoCaseComparator() {
  static const auto* const kComparator = new NoCase;
  return kComparator;
}

struct Param {
  std::string name;
  const leveldb::Comparator* comparator;
  int shards;
};

class ReservedKeysTest : public ::testing::TestWithParam<Param> {
 protected:
  ReservedKeysTest() { Open(); }

  void Open() {
    db_.reset();
    leveldb::Options options;
    options.create_if_missing = true;
    options.comparator = GetParam().comparator;
    std::vector<std::string> paths;
    for (int i = 0; i < GetParam().shards; ++i) {
      paths.push_back(dir_.Join(absl::StrCat("shard", i)));
    }
    auto db = ShardingDb::Open(options, paths);
    ASSERT_OK(db.status());
    db_ = *std::move(db);
  }

  // Reserved keys, and those that the order takes for that of the label.
  std::vector<std::string> Hidden() const {
    std::vector<std::string> keys = {
        ShardLabelKey().ToString(), std::string(KeyCheckKey()),
        std::string(kReservedKeyPrefix), absl::StrCat(kReservedKeyPrefix, "z")};
    std::string upper = absl::AsciiStrToUpper(ShardLabelKey().ToString());
    if (GetParam().comparator->Compare(upper, keys[0]) == 0) {
      keys.push_back(upper);
    }
    return keys;
  }

  // Keys around all that are reserved, in the order of the database.
  std::vector<std::string> Keys() const {
    std::vector<std::string> keys = {
        "a",
        "b",
        "zz",
        "\xff\xff\xff",
        "\xff\xff\xff\xff",
        "\xff\xff\xff\xffshardingdb",
        "\xff\xff\xff\xffshardingdb;",
        "\xff\xff\xff\xffshardingdb;label",
        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
        "\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
    for (int i = 0; i < 20; ++i) keys.push_back(absl::StrCat("key", i));
    std::sort(keys.begin(), keys.end(),
              [](const std::string& a, const std::string& b) {
                return GetParam().comparator->Compare(a, b) < 0;
              });
    return keys;
  }

  void Fill(size_t from, size_t to) {
    const std::vector<std::string> keys = Keys();
    for (size_t i = from; i < to; ++i) {
      ASSERT_OK(db_->Put(leveldb::WriteOptions(), keys[i], "value"));
    }
  }

  // All positions, in every direction, with every turn.
  void ExpectShows(const std::vector<std::string>& keys) {
    const std::unique_ptr<leveldb::Iterator> iterator(
        db_->NewIterator(leveldb::ReadOptions()));
    std::vector<std::string> forwards;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      forwards.push_back(iterator->key().ToString());
    }
    EXPECT_EQ(forwards, keys);
    std::vector<std::string> backwards;
    for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
      backwards.push_back(iterator->key().ToString());
    }
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(backwards, keys);

    std::vector<std::string> targets = keys;
    for (const std::string& key : Hidden()) targets.push_back(key);
    for (const std::string& target : targets) {
      const size_t at =
          std::lower_bound(keys.begin(), keys.end(), target,
                           [](const std::string& a, const std::string& b) {
                             return GetParam().comparator->Compare(a, b) < 0;
                           }) -
          keys.begin();
      iterator->Seek(target);
      ASSERT_EQ(iterator->Valid(), at < keys.size());
      if (!iterator->Valid()) continue;
      EXPECT_EQ(iterator->key().ToString(), keys[at]);
      iterator->Prev();
      ASSERT_EQ(iterator->Valid(), at > 0);
      if (!iterator->Valid()) continue;
      EXPECT_EQ(iterator->key().ToString(), keys[at - 1]);
      iterator->Next();
      ASSERT_TRUE(iterator->Valid());
      EXPECT_EQ(iterator->key().ToString(), keys[at]);
    }
    EXPECT_OK(iterator->status());

    for (const std::string& start : targets) {
      for (const std::string& limit : targets) {
        std::vector<std::string> expected;
        for (const std::string& key : keys) {
          if (GetParam().comparator->Compare(key, start) >= 0 &&
              GetParam().comparator->Compare(key, limit) < 0) {
            expected.push_back(key);
          }
        }
        const auto range =
            db_->NewRangeIterator(leveldb::ReadOptions(), {start, limit});
        std::vector<std::string> found;
        for (range->SeekToLast(); range->Valid(); range->Prev()) {
          found.push_back(range->key().ToString());
        }
        std::reverse(found.begin(), found.end());
        EXPECT_EQ(found, expected);
      }
    }
  }

  const TempDir dir_;
  std::unique_ptr<ShardingDb> db_;
};

TEST_P(ReservedKeysTest, IteratorsDoNotShowThem) {
  const std::vector<std::string> keys = Keys();
  ExpectShows({});
  Fill(0, keys.size() / 2);
  ExpectShows({keys.begin(), keys.begin() + keys.size() / 2});
  Fill(keys.size() / 2, keys.size());
  ExpectShows(keys);
  db_->CompactRange(nullptr, nullptr);
  ExpectShows(keys);
  Open();
  ExpectShows(keys);
}

TEST_P(ReservedKeysTest, NobodyCanReadThem) {
  Fill(0, 3);
  const std::vector<std::string> hidden = Hidden();
  std::vector<leveldb::Slice> asked;
  for (const std::string& key : hidden) {
    std::string value;
    EXPECT_THAT(db_->Get(leveldb::ReadOptions(), key, &value),
                IsLevelDbNotFound());
    bool found = true;
    EXPECT_OK(db_->Has(leveldb::ReadOptions(), key, &found));
    EXPECT_FALSE(found);
    asked.push_back(key);
  }
  std::vector<std::string> values;
  for (const leveldb::Status& status :
       db_->MultiGet(leveldb::ReadOptions(), asked, &values)) {
    EXPECT_THAT(status, IsLevelDbNotFound());
  }
  EXPECT_EQ(db_->GetStats().gets_found, 0);
}

TEST_P(ReservedKeysTest, NobodyCanWriteThem) {
  for (const std::string& key : Hidden()) {
    const leveldb::WriteOptions options;
    EXPECT_THAT(db_->Put(options, key, "value"),
                LevelDbStatusIs(LevelDbCode::kInvalidArgument));
    EXPECT_THAT(db_->Delete(options, key),
                LevelDbStatusIs(LevelDbCode::kInvalidArgument));
    leveldb::WriteBatch batch;
    batch.Put("a", "value");
    batch.Put("b", "value");
    batch.Delete(key);
    EXPECT_THAT(db_->Write(options, &batch),
                LevelDbStatusIs(LevelDbCode::kInvalidArgument));
  }
  ExpectShows({});
  Open();  // the labels are still there
}

INSTANTIATE_TEST_SUITE_P(
    Orders, ReservedKeysTest,
    ::testing::Values(Param{"Bytewise1", leveldb::BytewiseComparator(), 1},
                      Param{"Bytewise4", leveldb::BytewiseComparator(), 4},
                      Param{"Reverse1", ReverseBytewiseComparator(), 1},
                      Param{"Reverse4", ReverseBytewiseComparator(), 4},
                      Param{"Numeric3", NumericComparator(), 3},
                      Param{"NoCase1", NoCaseComparator(), 1},
                      Param{"NoCase3", NoCaseComparator(), 3}),
    [](const ::testing::TestParamInfo<Param>& info) {
      return info.param.name;
    });

}  // namespace
}  // namespace shardingdb
