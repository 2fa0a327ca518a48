// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/describe_key.h"

#include <string>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(DescribeKeyTest, ShowsBytesInHexAndShortensLongKeys) {
  EXPECT_EQ(DescribeKey(""), "empty");
  EXPECT_EQ(DescribeKey(leveldb::Slice("\0k\xff", 3)), "0x006bff");
  EXPECT_EQ(DescribeKey(std::string(16, 'a')),
            "0x61616161616161616161616161616161");
  EXPECT_EQ(DescribeKey(std::string(300, 'a')),
            "0x61616161616161616161616161616161... (300 bytes)");
}

}  // namespace
}  // namespace shardingdb
