// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The program where the system gives it less than it needs.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "testing/run_program.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class MainLimitsTest : public ::testing::Test {
 protected:
  MainLimitsTest() { ::unsetenv("BUILD_WORKING_DIRECTORY"); }

  // After `limits`, a command of the shell's; with `redirection`.
  ProgramResult Run(absl::string_view limits, absl::string_view arguments,
                    absl::string_view redirection = "") {
    return RunProgram(
        "/bin/sh", {"-c", absl::StrCat(limits, "; exec reshard/reshard -l 0 ",
                                       arguments, " ", redirection)});
  }

  void Restore() {
    for (const std::string& folder : {a_, b_}) {
      std::filesystem::remove_all(folder);
    }
    WriteSet({a_}, JumpSharding(), entries_);
  }

  TempDir dir_;
  const std::string a_ = dir_.Join("a");
  const std::string b_ = dir_.Join("b");
  Entries entries_ = GenerateEntries(2, 2000);
};

TEST_F(MainLimitsTest, WithoutMemoryItSaysSoAndTheSameCommandGoesOn) {
  for (const char* key : {"1", "2", "3"}) {
    entries_[key] = std::string(size_t{20} << 20, key[0]);
  }
  Restore();
  const std::vector<std::string> commands = {
      absl::StrCat("--digest -i ", a_), absl::StrCat("-i ", a_, " -o ", b_),
      absl::StrCat("-i ", a_, " -o ", a_, ",", b_)};
  for (const std::string& command : commands) {
    Restore();
    int started = 0;
    int without_memory = 0;
    for (int kilobytes : {80000, 200000, 260000, 320000}) {
      // Without the room that the C library sets aside for each thread.
      const std::string limits =
          absl::StrCat("export MALLOC_ARENA_MAX=1; ulimit -v ", kilobytes);
      // With a sanitizer in it the program needs more from the beginning.
      if (Run(limits, "--help").exit_code != 0) continue;
      ++started;
      const ProgramResult result = Run(limits, command);
      if (result.exit_code == 0) continue;
      EXPECT_EQ(result.exit_code, 2) << command << "\n" << result.err;
      EXPECT_THAT(result.err, StartsWith("reshard: "));
      without_memory += result.err ==
                        "reshard: out of memory: run the same command again "
                        "with more memory\n";
    }
    EXPECT_TRUE(started == 0 || without_memory > 0) << command;
    const ProgramResult result = Run("true", command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  EXPECT_TRUE(ReadSet({a_, b_}, JumpSharding()) == entries_);
}

TEST_F(MainLimitsTest, AFileThatMayNotGrowIs2) {
  entries_["large"] = std::string(size_t{1} << 20, 'v');
  for (const std::string& outputs : {b_, absl::StrCat(b_, ",", a_)}) {
    Restore();
    const std::string command = absl::StrCat("-i ", a_, " -o ", outputs);
    const ProgramResult result = Run("ulimit -f 100", command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, AllOf(StartsWith("reshard: storage error: "),
                                  HasSubstr("File too large")));
    const ProgramResult again = Run("true", command);
    EXPECT_EQ(again.exit_code, 0) << again.err;
  }
}

TEST_F(MainLimitsTest, WhatCannotBeSaidOnStandardOutputIs2ButDone) {
  for (absl::string_view redirection : {">/dev/full", ">&-"}) {
    Restore();
    const std::string command = absl::StrCat("-i ", a_, " -o ", b_);
    const ProgramResult result = Run("true", command, redirection);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err,
                AllOf(StartsWith("reshard: cannot write to standard output: "),
                      HasSubstr("all else is done")));
    EXPECT_TRUE(ReadFolder(b_) == entries_);
    EXPECT_EQ(Run("true", "--help", redirection).exit_code, 2);
  }
}

// The next file that is opened would get the number of what was closed, and the
// program's messages with it.
TEST_F(MainLimitsTest, NoDatabaseTakesThePlaceOfAClosedStream) {
  for (absl::string_view redirection : {"-l 2 2>&-", "-l 2 <&- >&- 2>&-"}) {
    Restore();
    for (const std::string& outputs : {absl::StrCat(a_, ",", b_), a_}) {
      const std::string command = absl::StrCat(
          "-i ", a_, outputs == a_ ? "," + b_ : "", " -o ", outputs);
      const ProgramResult result = RunProgram(
          "/bin/sh", {"-c", absl::StrCat("exec reshard/reshard ", command, " ",
                                         redirection)});
      EXPECT_EQ(result.exit_code, redirection.size() > 10 ? 2 : 0);
      EXPECT_THAT(result.err, IsEmpty());
    }
    EXPECT_TRUE(ReadFolder(a_) == entries_);
  }
}

}  // namespace
}  // namespace shardingdb
