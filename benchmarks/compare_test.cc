// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A slice of the comparison, so that the program keeps working.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/run_program.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

TEST(Compare, PrintsATableForEverySizeAndNumberOfThreads) {
  const TempDir dir;
  const ProgramResult result = RunProgram(
      "benchmarks/compare",
      {"--quick", "--loops=20", "--batch=10", "--groups=8", "--threads=8,1",
       "--value_bytes=100,1000", "--dir=" + dir.Join("databases"),
       "--engines=leveldb,leveldb-tuned,shardingdb:3,shardingdb:3:sealed"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* text :
       {"Machine: ", "Command: `bazel run //benchmarks:compare -- --quick ",
        "### 100 B values, 8 threads, 160 entries in batches of 10\n",
        "### 1000 B values, 1 thread, 160 entries in batches of 10\n",
        "| leveldb-tuned | ", "| shardingdb:3:sealed | ", "| × leveldb |",
        "| shardingdb:3 | not found | 1 | "}) {
    EXPECT_THAT(result.out, HasSubstr(text));
  }
}

TEST(Compare, RefusesWrongArguments) {
  for (const char* argument :
       {"--engines=", "--engines=nothing", "--threads=0", "--threads=101",
        "--value_bytes=1", "--value_bytes=x", "--batch=1", "--repeat=0",
        "positional"}) {
    const ProgramResult result = RunProgram("benchmarks/compare", {argument});
    EXPECT_EQ(result.exit_code, 1) << argument;
    EXPECT_EQ(result.out, "") << argument;
    EXPECT_NE(result.err, "") << argument;
  }
}

}  // namespace
}  // namespace shardingdb
