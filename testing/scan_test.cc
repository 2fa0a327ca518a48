// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/scan.h"

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(ScanTest, ReadsAllInBothDirections) {
  ModelDb db;
  ASSERT_OK(db.Put(leveldb::WriteOptions(), "a", "1"));
  ASSERT_OK(db.Put(leveldb::WriteOptions(), "b", "2"));
  const std::unique_ptr<leveldb::Iterator> iterator(
      db.NewIterator(leveldb::ReadOptions()));
  EXPECT_THAT(ScanForward(iterator.get()),
              ElementsAre(Pair("a", "1"), Pair("b", "2")));
  EXPECT_THAT(ScanBackward(iterator.get()),
              ElementsAre(Pair("b", "2"), Pair("a", "1")));
  EXPECT_THAT(KeysOf(ScanBothWays(iterator.get())), ElementsAre("a", "b"));
}

TEST(ScanTest, AnErrorFailsTheTest) {
  const std::unique_ptr<leveldb::Iterator> broken(
      leveldb::NewErrorIterator(leveldb::Status::IOError("torn")));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(ScanForward(broken.get()), IsEmpty()),
                          "torn");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(ScanBackward(broken.get()), IsEmpty()),
                          "torn");
}

}  // namespace
}  // namespace shardingdb
