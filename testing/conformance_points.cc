// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: Put, Get, Delete and Has of single keys.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "testing/conformance_suite.h"
#include "testing/random_bytes.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::WriteOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST_P(DbHandleConformance, PutThenGet) {
  Put("a", "1");
  EXPECT_EQ(Get("a"), "1");
  Put("a", "2");
  EXPECT_EQ(Get("a"), "2");
  Reopen();
  EXPECT_EQ(Get("a"), "2");
  EXPECT_THAT(Contents(), ElementsAre(Pair("a", "2")));
}

TEST_P(DbHandleConformance, AnEntryThatIsTooLongIsRefusedUnread) {
  const char byte = 'b';
  const Slice too_long(&byte, size_t{1} << 32);
  EXPECT_THAT(db()->Put(WriteOptions(), "a", too_long),
              LevelDbStatusIs(LevelDbCode::kInvalidArgument,
                              HasSubstr("a value of 4294967296 bytes")));
  EXPECT_THAT(db()->Put(WriteOptions(), too_long, "1"),
              LevelDbStatusIs(LevelDbCode::kInvalidArgument,
                              HasSubstr("a key of 4294967296 bytes")));
  EXPECT_THAT(Contents(), IsEmpty());
}

TEST_P(DbHandleConformance, GetOfAMissingKeyLeavesTheValueAlone) {
  Put("a", "1");
  std::string value = "before";
  EXPECT_THAT(db()->Get(ReadOptions(), "b", &value), IsLevelDbNotFound());
  EXPECT_EQ(value, "before");
}

TEST_P(DbHandleConformance, GetReplacesWhatTheValueHeld) {
  Put("a", "1");
  std::string value = "something longer than the value";
  EXPECT_OK(db()->Get(ReadOptions(), "a", &value));
  EXPECT_EQ(value, "1");
}

// As with LevelDB, the place for the value may be where the key stands.
TEST_P(DbHandleConformance, AKeyMayBeReplacedByItsValue) {
  Put("a", "b");
  Put("b", std::string(1000, 'c'));
  std::string text = "a";
  EXPECT_OK(db()->Get(ReadOptions(), text, &text));
  EXPECT_EQ(text, "b");
  EXPECT_OK(db()->Get(ReadOptions(), text, &text));
  EXPECT_EQ(text, std::string(1000, 'c'));

  std::vector<std::string> texts = {"a", "b", "missing"};
  const std::vector<Slice> keys(texts.begin(), texts.end());
  EXPECT_THAT(db()->MultiGet(ReadOptions(), keys, &texts),
              ElementsAre(IsOk(), IsOk(), IsLevelDbNotFound()));
  EXPECT_THAT(texts, ElementsAre("b", std::string(1000, 'c'), ""));
}

TEST_P(DbHandleConformance, DeleteRemovesOneKey) {
  Put("a", "1");
  Put("b", "2");
  Delete("a");
  EXPECT_EQ(Get("a"), "(none)");
  EXPECT_EQ(Get("b"), "2");
  EXPECT_THAT(Contents(), ElementsAre(Pair("b", "2")));
  Put("a", "3");
  EXPECT_EQ(Get("a"), "3");
  Delete("a");
  Reopen();
  EXPECT_EQ(Get("a"), "(none)");
}

TEST_P(DbHandleConformance, DeleteOfAMissingKeyIsOk) {
  EXPECT_OK(db()->Delete(WriteOptions(), "never there"));
  Put("a", "1");
  Delete("a");
  EXPECT_OK(db()->Delete(WriteOptions(), "a"));
  EXPECT_THAT(Contents(), IsEmpty());
}

TEST_P(DbHandleConformance, SyncedWrites) {
  WriteOptions sync;
  sync.sync = true;
  EXPECT_OK(db()->Put(sync, "a", "1"));
  EXPECT_OK(db()->Put(sync, "b", "2"));
  EXPECT_OK(db()->Delete(sync, "a"));
  EXPECT_THAT(Contents(), ElementsAre(Pair("b", "2")));
}

TEST_P(DbHandleConformance, ReadOptionsChangeNoAnswer) {
  Put("a", "1");
  db()->CompactRange(nullptr, nullptr);
  ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  std::string value;
  EXPECT_OK(db()->Get(options, "a", &value));
  EXPECT_EQ(value, "1");
  EXPECT_THAT(db()->Get(options, "b", &value), IsLevelDbNotFound());
}

TEST_P(DbHandleConformance, HasSaysWhetherThereIsAValue) {
  Put("full", "1");
  Put("empty", "");
  Put("gone", "1");
  Delete("gone");
  bool found = false;
  EXPECT_OK(db()->Has(ReadOptions(), "full", &found));
  EXPECT_TRUE(found);
  found = false;
  EXPECT_OK(db()->Has(ReadOptions(), "empty", &found));
  EXPECT_TRUE(found);
  EXPECT_OK(db()->Has(ReadOptions(), "gone", &found));
  EXPECT_FALSE(found);
  found = true;
  EXPECT_OK(db()->Has(ReadOptions(), "never there", &found));
  EXPECT_FALSE(found);
}

TEST_P(DbHandleConformance, NullPlacesForAnswersAreInvalid) {
  Put("a", "1");
  for (const char* key : {"a", "b"}) {
    EXPECT_THAT(db()->Get(ReadOptions(), key, nullptr),
                LevelDbStatusIs(LevelDbCode::kInvalidArgument));
    EXPECT_THAT(db()->Has(ReadOptions(), key, nullptr),
                LevelDbStatusIs(LevelDbCode::kInvalidArgument));
  }
  EXPECT_THAT(db()->MultiGet(ReadOptions(), {"a", "b"}, nullptr),
              ElementsAre(LevelDbStatusIs(LevelDbCode::kInvalidArgument),
                          LevelDbStatusIs(LevelDbCode::kInvalidArgument)));
}

TEST_P(DbHandleConformance, TheEmptyKeyIsAKey) {
  EXPECT_EQ(Get(""), "(none)");
  Put("a", "1");
  Put("", "of the empty key");
  EXPECT_EQ(Get(""), "of the empty key");
  EXPECT_THAT(Contents(),
              ElementsAre(Pair("", "of the empty key"), Pair("a", "1")));
  Reopen();
  EXPECT_EQ(Get(""), "of the empty key");
  Delete("");
  EXPECT_EQ(Get(""), "(none)");
  EXPECT_THAT(Contents(), ElementsAre(Pair("a", "1")));
}

TEST_P(DbHandleConformance, TheEmptyValueIsAValue) {
  Put("a", "");
  Put("", "");
  std::string value = "before";
  EXPECT_OK(db()->Get(ReadOptions(), "a", &value));
  EXPECT_EQ(value, "");
  Reopen();
  EXPECT_THAT(Contents(), ElementsAre(Pair("", ""), Pair("a", "")));
  Put("a", "1");
  Put("a", "");
  EXPECT_EQ(Get("a"), "");
}

TEST_P(DbHandleConformance, KeysAndValuesAreAnyBytes) {
  std::vector<std::string> keys;
  for (int c = 0; c < 256; ++c) keys.emplace_back(1, static_cast<char>(c));
  for (size_t length = 2; length <= 17; ++length) {
    keys.emplace_back(length, '\0');
    keys.emplace_back(length, '\xff');
    keys.push_back(std::string(length, '\xff') + std::string(1, '\0'));
    keys.push_back(std::string(length, '\0') + "\xff");
  }
  keys.emplace_back("line\nfeed \t%s ");
  keys.emplace_back("not \xc3\x28 UTF-8");
  for (const std::string& key : keys) Put(key, "of " + key);
  for (const std::string& key : keys) EXPECT_EQ(Get(key), "of " + key);
  EXPECT_EQ(Contents().size(), keys.size());
  Reopen();
  for (const std::string& key : keys) EXPECT_EQ(Get(key), "of " + key);
  for (const std::string& key : keys) Delete(key);
  EXPECT_THAT(Contents(), IsEmpty());
}

TEST_P(DbHandleConformance, LongKeys) {
  for (const size_t size : {200, 5000, 70000}) {
    Put(RandomBytes(size, size), absl::StrCat(size));
  }
  Reopen();
  db()->CompactRange(nullptr, nullptr);
  for (const size_t size : {200, 5000, 70000}) {
    EXPECT_EQ(Get(RandomBytes(size, size)), absl::StrCat(size));
  }
  EXPECT_EQ(Contents().size(), 3u);
}

TEST_P(DbHandleConformance, ValuesOfManySizes) {
  std::vector<size_t> sizes;
  for (size_t power = 1; power <= (1 << 20); power *= 4) {
    for (const size_t size : {power - 1, power, power + 1}) {
      sizes.push_back(size);
    }
  }
  for (const size_t size : sizes) {
    Put(absl::StrCat("random", size), RandomBytes(size, size));
    Put(absl::StrCat("same", size), std::string(size, 'x'));
  }
  const auto expect_all = [&] {
    for (const size_t size : sizes) {
      EXPECT_TRUE(Get(absl::StrCat("random", size)) == RandomBytes(size, size))
          << size;
      EXPECT_TRUE(Get(absl::StrCat("same", size)) == std::string(size, 'x'))
          << size;
    }
  };
  expect_all();
  Reopen();
  expect_all();
  db()->CompactRange(nullptr, nullptr);
  expect_all();
}

TEST_P(DbHandleConformance, AValueOf64Megabytes) {
  // Eight times the same eight random megabytes, each with another start.
  std::string large;
  large.reserve(size_t{64} << 20);
  const std::string block = RandomBytes(1, size_t{8} << 20);
  for (size_t i = 0; i < 8; ++i) {
    large.append(block, i, std::string::npos).append(block, 0, i);
  }
  Put("before", "1");
  Put("large", large);
  Put("later", "2");
  EXPECT_TRUE(Get("large") == large);
  Reopen();
  EXPECT_TRUE(Get("large") == large);
  {
    const auto iterator = NewIterator();
    iterator->Seek("large");
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->key().ToString(), "large");
    EXPECT_TRUE(iterator->value() == Slice(large));
    iterator->Next();
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->key().ToString(), "later");
  }
  Put("large", "small");
  EXPECT_THAT(Contents(),
              ElementsAre(Pair("before", "1"), Pair("large", "small"),
                          Pair("later", "2")));
}

TEST_P(DbHandleConformance, ArgumentsAreCopiedBeforeACallReturns) {
  std::string key = "key";
  std::string value = "value";
  Put(key, value);
  key = "xxx";
  value = "yyyyy";
  EXPECT_THAT(Contents(), ElementsAre(Pair("key", "value")));
}

TEST_P(DbHandleConformance, ManyVersionsOfOneKey) {
  const std::string filler = RandomBytes(3, 2000);
  for (int i = 0; i < 2000; ++i) {
    Put("a", absl::StrCat(i, filler));
    if (i % 3 == 0) Delete("b");
    if (i % 3 == 1) Put("b", absl::StrCat(i));
  }
  EXPECT_EQ(Get("a"), absl::StrCat(1999, filler));
  EXPECT_EQ(Get("b"), "1999");
  db()->CompactRange(nullptr, nullptr);
  EXPECT_EQ(Get("a"), absl::StrCat(1999, filler));
  EXPECT_EQ(Contents().size(), 2u);
}

TEST_P(DbHandleConformance, ReopenedManyTimes) {
  for (int i = 0; i < 5; ++i) {
    Put(NumberedKey(i), absl::StrCat(i));
    Put("last", absl::StrCat(i));
    Reopen();
    EXPECT_EQ(Get("last"), absl::StrCat(i));
    EXPECT_EQ(Contents().size(), size_t(i + 2));
  }
}

}  // namespace
}  // namespace shardingdb
