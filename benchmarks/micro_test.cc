// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Every micro-benchmark, for a moment, so that they keep working.

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "testing/run_program.h"

namespace shardingdb {
namespace {

TEST(Micro, EachOneRuns) {
  const ProgramResult result =
      RunProgram("benchmarks/micro",
                 {"--benchmark_min_time=0.001", "--benchmark_format=csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* name :
       {"BM_ShardOf/jump", "BM_Split", "BM_MergeForwards", "BM_MergeBackwards",
        "BM_SinglePuts/shards_6", "BM_KeyRingSeal", "BM_KeyRingOpen"}) {
    EXPECT_TRUE(absl::StrContains(result.out, name)) << name;
  }
  // In the column for errors.
  EXPECT_FALSE(absl::StrContains(result.out, ",true,")) << result.out;
}

}  // namespace
}  // namespace shardingdb
