// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/run_program.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

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

TEST(Quickstart, RefusesWrongArguments) {
  for (const char* argument :
       {"--entries=0", "--entries=-1", "--threads=0", "--threads=100000",
        "--no-such-flag", "positional"}) {
    const ProgramResult result = RunProgram("examples/quickstart", {argument});
    EXPECT_EQ(result.exit_code, 1) << argument;
    EXPECT_EQ(result.out, "") << argument;
    EXPECT_NE(result.err, "") << argument;
  }
}

}  // namespace
}  // namespace shardingdb
