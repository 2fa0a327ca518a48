// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>
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

TEST(Quickstart, VerifiesEveryEntry) {
  const ProgramResult result =
      RunProgram("examples/quickstart", {"--entries=20000", "--threads=7"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.LastLine(), "verified 20000 entries");
  EXPECT_THAT(result.out, HasSubstr("reshard 3 -> 4"));
}

TEST(Quickstart, RunsOnOneEntryAndOneThread) {
  const ProgramResult result =
      RunProgram("examples/quickstart", {"--entries=1", "--threads=1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.LastLine(), "verified 1 entries");
}

TEST(Quickstart, KeepsAFolderThatIsNamed) {
  const TempDir dir;
  const ProgramResult result =
      RunProgram("examples/quickstart",
                 {"--entries=1000", "--dir=" + dir.Join("databases")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(dir.Join("databases/shard3/CURRENT")));
}

TEST(Quickstart, RemovesItsFolderWhenItIsStopped) {
  const TempDir dir;
  const std::string err = dir.Join("err");
  const std::string databases = dir.Join("databases");
  std::filesystem::create_directory(databases);
  const ProgramResult result = RunProgram(
      "/bin/sh",
      {"-c", "TMPDIR=" + databases +
                 " examples/quickstart --entries=100000000 2>" + err +
                 " & until grep -q shards " + err +
                 "; do :; done; kill -TERM $!; wait $!; echo exit code $?"});
  EXPECT_EQ(result.LastLine(), "exit code 1");
  EXPECT_TRUE(std::filesystem::is_empty(databases));
}

TEST(Quickstart, SaysWhatIsWrongWithTheFolder) {
  const TempDir dir;
  std::ofstream(dir.Join("file")) << "x";
  const ProgramResult result = RunProgram(
      "examples/quickstart", {"--entries=1000", "--dir=" + dir.Join("file")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(dir.Join("file")));
}

TEST(Quickstart, HelpIsNoError) {
  for (const char* flag : {"--help", "-help", "-h"}) {
    const ProgramResult result = RunProgram("examples/quickstart", {flag});
    EXPECT_EQ(result.exit_code, 0) << flag;
    EXPECT_THAT(result.out, HasSubstr("bazel run //examples:quickstart -- "));
    EXPECT_EQ(result.err, "") << flag;
  }
}

TEST(Quickstart, SaysHowItIsUsed) {
  for (const auto& [argument, error] :
       {std::pair{"--no-such-flag", "unknown flag --no-such-flag"},
        std::pair{"-threads=x", "-threads: 'x' is not what it takes"},
        std::pair{"--entries=-1", "--entries: '-1' is not what it takes"},
        std::pair{"--dir", "--dir: no value"},
        std::pair{"positional", "what is 'positional'?"}}) {
    const ProgramResult result = RunProgram("examples/quickstart", {argument});
    EXPECT_EQ(result.exit_code, 1) << argument;
    EXPECT_EQ(result.out, "") << argument;
    EXPECT_THAT(
        result.err,
        AllOf(StartsWith(absl::StrCat("quickstart: usage error: ", error)),
              HasSubstr("Exit codes: 0 done")));
  }
}

TEST(Quickstart, RefusesNumbersOutOfRange) {
  for (const char* argument :
       {"--entries=0", "--threads=0", "--threads=100000"}) {
    const ProgramResult result = RunProgram("examples/quickstart", {argument});
    EXPECT_EQ(result.exit_code, 1) << argument;
    EXPECT_EQ(result.out, "") << argument;
    EXPECT_THAT(result.err, HasSubstr(" is 1 to ")) << argument;
  }
}

}  // namespace
}  // namespace shardingdb
