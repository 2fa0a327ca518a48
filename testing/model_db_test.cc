// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What is special of the model. That it is a DbHandle is tested by
// conformance_model_test.cc.

#include "testing/model_db.h"

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

TEST(ModelDbTest, SizesAreThoseOfKeysAndValues) {
  ModelDb db;
  ASSERT_OK(db.Put(leveldb::WriteOptions(), "a", "12345"));
  ASSERT_OK(db.Put(leveldb::WriteOptions(), "b", "1"));
  const leveldb::Range ranges[] = {{"a", "b"}, {"a", "c"}, {"c", "d"}};
  uint64_t sizes[3];
  db.GetApproximateSizes(ranges, 3, sizes);
  EXPECT_THAT(sizes, ::testing::ElementsAre(6, 8, 0));
}

TEST(ModelDbTest, TwoModelsAreTwoDatabases) {
  ModelDb first;
  ModelDb second;
  ASSERT_OK(first.Put(leveldb::WriteOptions(), "a", "1"));
  std::string value;
  EXPECT_THAT(second.Get(leveldb::ReadOptions(), "a", &value),
              IsLevelDbNotFound());
}

TEST(ModelDbTest, ClosingForgetsTheEntries) {
  ModelDb db;
  ASSERT_OK(db.Put(leveldb::WriteOptions(), "a", "1"));
  EXPECT_OK(db.Close());
  std::string value;
  EXPECT_THAT(db.Get(leveldb::ReadOptions(), "a", &value),
              LevelDbStatusIs(LevelDbCode::kIOError, "model: closed"));
}

TEST(ModelDbTest, CountsAsOneShard) {
  EXPECT_EQ(ModelDb().GetStats().shards, 1u);
}

}  // namespace
}  // namespace shardingdb
