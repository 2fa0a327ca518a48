// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A slice of the comparison, so that the program keeps working.

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/run_program.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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

TEST(Compare, HelpIsNoError) {
  for (const char* flag : {"--help", "-help", "-h"}) {
    const ProgramResult result = RunProgram("benchmarks/compare", {flag});
    EXPECT_EQ(result.exit_code, 0) << flag;
    EXPECT_THAT(result.out, HasSubstr("bazel run //benchmarks:compare -- "));
    EXPECT_EQ(result.err, "") << flag;
  }
}

TEST(Compare, SaysHowItIsUsed) {
  for (const auto& [argument, error] :
       {std::pair{"--no-such-flag", "unknown flag --no-such-flag"},
        std::pair{"-batch=x", "-batch: 'x' is not what it takes"},
        std::pair{"--engines", "--engines: no value"},
        std::pair{"positional", "what is 'positional'?"}}) {
    const ProgramResult result = RunProgram("benchmarks/compare", {argument});
    EXPECT_EQ(result.exit_code, 1) << argument;
    EXPECT_EQ(result.out, "") << argument;
    EXPECT_THAT(result.err,
                AllOf(StartsWith(absl::StrCat("compare: usage error: ", error)),
                      HasSubstr("Exit codes: 0 done")));
  }
}

TEST(Compare, RefusesWhatCannotBeMeasured) {
  for (const char* argument :
       {"--engines=", "--engines=nothing", "--threads=0", "--threads=101",
        "--value_bytes=1", "--value_bytes=x", "--batch=1", "--repeat=0"}) {
    const ProgramResult result = RunProgram("benchmarks/compare", {argument});
    EXPECT_EQ(result.exit_code, 1) << argument;
    EXPECT_EQ(result.out, "") << argument;
    EXPECT_NE(result.err, "") << argument;
  }
}

}  // namespace
}  // namespace shardingdb
