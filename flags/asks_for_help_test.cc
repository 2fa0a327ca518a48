// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "flags/asks_for_help.h"

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(AsksForHelpTest, InThreeSpellings) {
  EXPECT_TRUE(AsksForHelp({"--help"}));
  EXPECT_TRUE(AsksForHelp({"-help"}));
  EXPECT_TRUE(AsksForHelp({"more", "-h"}));
}

TEST(AsksForHelpTest, NothingElseDoes) {
  EXPECT_FALSE(AsksForHelp({}));
  EXPECT_FALSE(AsksForHelp({"help", "--helpful", "--h", "-", ""}));
}

}  // namespace
}  // namespace shardingdb
