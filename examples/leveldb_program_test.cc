// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/run_program.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

TEST(LevelDbProgram, CannotTellShardsFromOneLevelDb) {
  const ProgramResult result = RunProgram("examples/leveldb_program", {});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.LastLine(), "the same");
  EXPECT_THAT(result.out, HasSubstr("  count/shards = 2\n"));
  EXPECT_THAT(result.out, HasSubstr("get removed line: NotFound: "));
}

}  // namespace
}  // namespace shardingdb
