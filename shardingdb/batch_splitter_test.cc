// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/batch_splitter.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Sends a key to the shard that its first byte names.
ShardingFuncPtr FirstDigit() {
  return CustomSharding("first-digit", [](const leveldb::Slice& key, uint32_t) {
    return static_cast<uint32_t>(key.empty() ? 0 : key[0] - '0');
  });
}

class Printer : public leveldb::WriteBatch::Handler {
 public:
  void Put(const leveldb::Slice& key, const leveldb::Slice& value) override {
    updates.push_back(absl::StrCat("+", key.ToString(), "=", value.ToString()));
  }
  void Delete(const leveldb::Slice& key) override {
    updates.push_back(absl::StrCat("-", key.ToString()));
  }
  std::vector<std::string> updates;
};

std::vector<std::string> Updates(const BatchSplitter::Part& part) {
  Printer printer;
  EXPECT_OK(part.batch.Iterate(&printer));
  return printer.updates;
}

TEST(BatchSplitterTest, KeepsTheOrderWithinEachShard) {
  leveldb::WriteBatch batch;
  batch.Put("1a", "x");
  batch.Put("0a", "y");
  batch.Delete("1a");
  batch.Put("1a", "");
  batch.Delete("");
  BatchSplitter splitter;
  ASSERT_OK(splitter.Split(batch, *FirstDigit(), 3));
  ASSERT_EQ(splitter.parts().size(), 2);
  EXPECT_EQ(splitter.parts()[0]->shard, 1);
  EXPECT_THAT(Updates(*splitter.parts()[0]),
              ElementsAre("+1a=x", "-1a", "+1a="));
  EXPECT_EQ(splitter.parts()[1]->shard, 0);
  EXPECT_THAT(Updates(*splitter.parts()[1]), ElementsAre("+0a=y", "-"));
}

TEST(BatchSplitterTest, AnEmptyBatchHasNoParts) {
  BatchSplitter splitter;
  ASSERT_OK(splitter.Split(leveldb::WriteBatch(), *FirstDigit(), 3));
  EXPECT_THAT(splitter.parts(), IsEmpty());
}

TEST(BatchSplitterTest, NothingIsLeftOfTheBatchBefore) {
  leveldb::WriteBatch large, small;
  for (int i = 0; i < 9; ++i)
    large.Put(absl::StrCat(i, "k"), std::string(100000, 'v'));
  small.Put("5", "v");
  BatchSplitter splitter;
  ASSERT_OK(splitter.Split(large, *FirstDigit(), 9));
  EXPECT_EQ(splitter.parts().size(), 9);
  ASSERT_OK(splitter.Split(small, *FirstDigit(), 300));
  ASSERT_EQ(splitter.parts().size(), 1);
  EXPECT_EQ(splitter.parts()[0]->shard, 5);
  EXPECT_THAT(Updates(*splitter.parts()[0]), ElementsAre("+5=v"));
}

TEST(BatchSplitterTest, AnAnswerOutOfRangeIsAnErrorOfTheFunction) {
  leveldb::WriteBatch batch;
  batch.Put("0", "v");
  batch.Put("7key", "v");
  BatchSplitter splitter;
  const leveldb::Status status = splitter.Split(batch, *FirstDigit(), 3);
  EXPECT_TRUE(status.IsInvalidArgument());
  EXPECT_THAT(
      status.ToString(),
      HasSubstr("\"first-digit\" answered shard 7 of 3 for key 0x376b6579"));
  EXPECT_THAT(splitter.parts(), IsEmpty());
}

TEST(LocateTest, OneShardNeedsNoFunction) {
  uint32_t shard = 9;
  EXPECT_OK(Locate(*FirstDigit(), "7", 1, &shard));
  EXPECT_EQ(shard, 0);
}

}  // namespace
}  // namespace shardingdb
