// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A workspace that depends on this one as a user's does builds and runs.

#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/run_program.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

TEST(Consumer, BuildsAndRunsFromItsOwnWorkspace) {
  const TempDir dir;
  const ProgramResult result =
      RunProgram("examples/build_consumer.sh", {dir.Join("shards")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.LastLine(), "3 shards hold 1000 entries");
  EXPECT_TRUE(std::filesystem::exists(dir.Join("shards/2/CURRENT")));
}

// A library that cannot be had ends the build with a sentence that says what to
// install.
TEST(Consumer, LearnsWhichPackageIsMissing) {
  const TempDir dir;
  const ProgramResult result =
      RunProgram("examples/build_consumer.sh",
                 {dir.Join("shards"), "--repo_env=SHARDINGDB_DEPS=system",
                  "--repo_env=PKG_CONFIG_LIBDIR=" + dir.Join("nothing")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(
      result.err,
      HasSubstr("Abseil is needed, but it is not installed: install the "
                "package libabsl-dev"));
}

}  // namespace
}  // namespace shardingdb
