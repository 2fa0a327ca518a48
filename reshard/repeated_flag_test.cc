// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/repeated_flag.h"

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(RepeatedFlagTest, IsFoundHoweverItIsSpelled) {
  EXPECT_EQ(RepeatedFlag({"-i", "a", "-i", "b"}), "i");
  EXPECT_EQ(RepeatedFlag({"-i", "a", "-o=b", "--o", "c"}), "o");
  EXPECT_EQ(RepeatedFlag({"--i=a", "-l", "0", "--i=a"}), "i");
  EXPECT_EQ(RepeatedFlag({"--sharding=jump", "-sharding", "jump"}), "sharding");
}

TEST(RepeatedFlagTest, ValuesAndWhatFollowsTwoDashesAreNoFlags) {
  EXPECT_EQ(RepeatedFlag({}), "");
  EXPECT_EQ(RepeatedFlag({"-i", "a", "-o", "b", "-l", "2", "--digest"}), "");
  EXPECT_EQ(RepeatedFlag({"-i", "-o", "-o", "-i"}), "");
  EXPECT_EQ(RepeatedFlag({"-i", "a", "--", "-i"}), "");
}

}  // namespace
}  // namespace shardingdb
