// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A slice of the comparison, so that the program keeps working.

#include <fstream>
#include <iterator>
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
using ::testing::Not;
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

TEST(Compare, WritesJson) {
  const TempDir dir;
  const std::string path = dir.Join("results.json");
  const ProgramResult result = RunProgram(
      "benchmarks/compare",
      {"--quick", "--loops=20", "--batch=10", "--groups=4", "--threads=4",
       "--value_bytes=100", "--values=zeropad,random", "--json=" + path,
       "--engines=leveldb,shardingdb:prefix", "--sharding_counts=1,3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_THAT(line, AllOf(StartsWith("{\"machine\":"),
                          HasSubstr("\"command\":\"bazel run ")));
  int cells = 0;
  for (; std::getline(file, line); ++cells)
    EXPECT_THAT(line, StartsWith("{\"engine\":\""));
  EXPECT_EQ(cells, 2 * 3 * 5);
  EXPECT_THAT(result.out, HasSubstr("| shardingdb:3:prefix | "));
  EXPECT_THAT(result.out, HasSubstr("### 100 B random values, 4 threads"));
}

TEST(Compare, DoesWhatOthersMeasureAndMakesAPage) {
  const TempDir dir;
  const std::string path = dir.Join("page.html");
  const ProgramResult result =
      RunProgram("benchmarks/compare",
                 {"--quick", "--loops=20", "--batch=10", "--groups=4",
                  "--threads=4", "--workloads=ycsb-a,readseq",
                  "--engines=leveldb,shardingdb:2", "--html=" + path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* text : {"### ycsb-a: 1024 B values, 4 threads, 80 entries\n",
                           "### readseq: 100 B values, 4 threads, 80 entries\n",
                           "| engine | readseq, s | × leveldb |\n"}) {
    EXPECT_THAT(result.out, HasSubstr(text));
  }
  std::ifstream file(path);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(page, HasSubstr("\"workload\":\"ycsb-a\""));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

TEST(Compare, RefusesABadPathBeforeItMeasures) {
  const TempDir dir;
  for (const std::string& path : {dir.path(), dir.Join("missing/file")}) {
    for (const char* flag : {"--json=", "--html="}) {
      const ProgramResult result =
          RunProgram("benchmarks/compare", {flag + path});
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err, AllOf(StartsWith("compare: "), HasSubstr(path),
                                    Not(HasSubstr("leveldb"))));
    }
  }
}

TEST(Compare, HelpIsNoError) {
  for (const char* flag : {"--help", "-help", "-h"}) {
    const ProgramResult result = RunProgram("benchmarks/compare", {flag});
    EXPECT_EQ(result.exit_code, 0) << flag;
    EXPECT_THAT(result.out, HasSubstr("bazel run //benchmarks:compare -- "));
    for (const char* engine :
         {"leveldb-tuned", "rocksdb-tuned", "shardingdb:N:compressed",
          "shardingdb:N:sealed", "shardingdb:N:prefix"}) {
      EXPECT_THAT(result.out, HasSubstr(engine));
    }
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
        "--value_bytes=1", "--value_bytes=x", "--batch=1", "--repeat=0",
        "--values=", "--workloads=", "--workloads=put", "--values=ones",
        "--sharding_counts=0", "--time_every=-1"}) {
    const ProgramResult result = RunProgram("benchmarks/compare", {argument});
    EXPECT_EQ(result.exit_code, 1) << argument;
    EXPECT_EQ(result.out, "") << argument;
    EXPECT_NE(result.err, "") << argument;
  }
}

}  // namespace
}  // namespace shardingdb
