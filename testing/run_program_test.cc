// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/run_program.h"

#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(RunProgram, GivesOutputAndExitCode) {
  const ProgramResult result =
      RunProgram("/bin/sh", {"-c", "echo a; echo 'b c'; echo d >&2; exit 3"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "a\nb c\n");
  EXPECT_EQ(result.err, "d\n");
  EXPECT_EQ(result.LastLine(), "b c");
}

TEST(RunProgram, SaysWhichSignalEndedIt) {
  EXPECT_EQ(RunProgram("/bin/sh", {"-c", "kill -9 $$"}).exit_code, 128 + 9);
}

TEST(RunProgram, HasNothingOnItsInput) {
  const ProgramResult result = RunProgram("/bin/cat", {});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.LastLine(), "");
}

TEST(RunProgram, FailsTheTestIfThereIsNone) {
  EXPECT_NONFATAL_FAILURE(RunProgram("no/such/program", {}), "cannot start");
}

}  // namespace
}  // namespace shardingdb
