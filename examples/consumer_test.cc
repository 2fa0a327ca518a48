// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A workspace that depends on this one as a user's does builds and runs.

#include "gtest/gtest.h"
#include "testing/run_program.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

TEST(Consumer, BuildsAndRunsFromItsOwnWorkspace) {
  const TempDir dir;
  const ProgramResult result =
      RunProgram("examples/build_consumer.sh", {dir.Join("shards")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.LastLine(), "3 shards hold 1000 entries");
}

}  // namespace
}  // namespace shardingdb
