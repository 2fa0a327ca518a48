// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <string>

#include "gtest/gtest.h"

#ifdef SHARDINGDB_HAS_ROCKSDB
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#endif

namespace {

// Elsewhere it is enough that this builds.
#ifdef SHARDINGDB_HAS_ROCKSDB
TEST(RocksDb, KeepsWhatIsPut) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(
      rocksdb::DB::Open(options, ::testing::TempDir() + "/rocksdb", &opened)
          .ok());
  const std::unique_ptr<rocksdb::DB> db(opened);
  ASSERT_TRUE(db->Put(rocksdb::WriteOptions(), "key", "value").ok());
  std::string value;
  ASSERT_TRUE(db->Get(rocksdb::ReadOptions(), "key", &value).ok());
  EXPECT_EQ(value, "value");
}
#endif

}  // namespace
