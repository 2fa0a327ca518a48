// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/machine.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

using ::testing::ContainsRegex;

TEST(Machine, IsDescribedInOneLine) {
  EXPECT_THAT(DescribeMachine(), ContainsRegex("^.+, [0-9]+ cores, [0-9]+ GiB, "
                                               "[^ ]+ [^ ]+$"));
}

}  // namespace
}  // namespace shardingdb
