// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/command_line.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "shardingdb/sharding_func.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class CommandLineTest : public ::testing::Test {
 protected:
  CommandLineTest() {
    WriteSet({dir_.Join("a")}, MurmurSharding(), entries_);
    environment_.out = [this](absl::string_view text) {
      out_.append(text.data(), text.size());
    };
    environment_.err = [this](absl::string_view text) {
      err_.append(text.data(), text.size());
    };
    environment_.working_folder = dir_.path();
  }

  ExitCode Run(const CommandLine& line) {
    out_.clear();
    err_.clear();
    return RunCommandLine(line, environment_);
  }
  CommandLine Move(const std::string& inputs, const std::string& outputs) {
    CommandLine line;
    line.inputs = inputs;
    line.outputs = outputs;
    return line;
  }
  CommandLine Reorganise(const std::string& inputs) {
    CommandLine line;
    line.inputs = inputs;
    return line;
  }

  TempDir dir_;
  const Entries entries_ = GenerateEntries(9, 800);
  CommandEnvironment environment_;
  std::string out_;
  std::string err_;
};

TEST_F(CommandLineTest, MovesAndEndsWithALineThatSaysSo) {
  EXPECT_EQ(Run(Move("a", "x,y,z")), ExitCode::kDone);
  uint64_t bytes = 0;
  for (const auto& [key, value] : entries_) bytes += key.size() + value.size();
  EXPECT_THAT(out_, StartsWith(absl::StrCat(
                        "reshard: entries=800 moved=800 bytes=", bytes,
                        " digest=", DigestOf(entries_).ToHex(),
                        " verified=yes seconds=")));
  EXPECT_THAT(out_, ContainsRegex("seconds=[0-9]+\\.[0-9][0-9]\n$"));
  EXPECT_THAT(err_, AllOf(HasSubstr("copy: 800 entries"),
                          HasSubstr("verify: 800 entries")));
  EXPECT_TRUE(ReadSet({dir_.Join("x"), dir_.Join("y"), dir_.Join("z")},
                      JumpSharding()) == entries_);
}

TEST_F(CommandLineTest, TheShardingFunctionIsChosenByName) {
  CommandLine line = Move("a", "x,y");
  line.sharding = "prefix:delimiter=3a";
  EXPECT_EQ(Run(line), ExitCode::kDone);
  EXPECT_TRUE(ReadSet({dir_.Join("x"), dir_.Join("y")}, PrefixSharding(':')) ==
              entries_);
}

TEST_F(CommandLineTest, WithoutOutputsItReorganisesTheInputs) {
  ASSERT_EQ(Run(Move("a", "a,b")), ExitCode::kDone);
  CommandLine line = Reorganise("a,b");
  line.sharding = "murmur";
  EXPECT_EQ(Run(line), ExitCode::kDone);
  EXPECT_TRUE(ReadSet({dir_.Join("a"), dir_.Join("b")}, MurmurSharding()) ==
              entries_);
}

TEST_F(CommandLineTest, PrintsADigest) {
  CommandLine line;
  line.digest = true;
  line.inputs = "a";
  EXPECT_EQ(Run(line), ExitCode::kDone);
  EXPECT_THAT(out_, ContainsRegex("^entries=800 sha256=[0-9a-f]+\n$"));
  const std::string of_one = out_;
  ASSERT_EQ(Run(Move("a", "x,y,z")), ExitCode::kDone);
  line.inputs = "z,x,y";
  EXPECT_EQ(Run(line), ExitCode::kDone);
  EXPECT_EQ(out_, of_one);
}

TEST_F(CommandLineTest, LevelsSayNothingTheSummaryOrDetails) {
  CommandLine line = Reorganise("a");
  line.level = 0;
  EXPECT_EQ(Run(line), ExitCode::kDone);
  EXPECT_THAT(err_, IsEmpty());
  line.level = 1;
  EXPECT_EQ(Run(line), ExitCode::kDone);
  EXPECT_THAT(err_, AllOf(HasSubstr("survey: "), Not(HasSubstr("shard 0"))));
  line.level = 2;
  EXPECT_EQ(Run(line), ExitCode::kDone);
  EXPECT_THAT(err_, HasSubstr("/a: input, shard 0 of 1"));
}

TEST_F(CommandLineTest, WrongUseIsExplained) {
  CommandLine level = Move("a", "x");
  level.level = 3;
  CommandLine sharding = Move("a", "x");
  sharding.sharding = "nonsense";
  CommandLine digest = Move("a", "x");
  digest.digest = true;
  const std::vector<std::pair<CommandLine, std::string>> wrong = {
      {Move("", "x"), "-i: no folders"},
      {Move("a,,b", "x"), "-i: an empty name"},
      {Move("a", "x,"), "-o: an empty name"},
      {Move("a", ""), "-o: no folders to write to"},
      {Move("~/a", "x"), "-i: '~/a': a shell replaces ~"},
      {Move("a", "x,~/y"), "-o: '~/y': a shell replaces ~"},
      {level, "-l: must be 0, 1 or 2"},
      {sharding, "--sharding: "},
      {digest, "--digest: takes no -o"},
  };
  for (const auto& [line, message] : wrong) {
    EXPECT_EQ(Run(line), ExitCode::kUsage) << message;
    EXPECT_THAT(err_, AllOf(StartsWith("reshard: usage error: "),
                            HasSubstr(message), HasSubstr("Exit codes")));
    EXPECT_THAT(out_, IsEmpty());
  }
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("x")));
}

TEST_F(CommandLineTest, AnUnknownFunctionIsAnsweredWithThoseForNewSets) {
  CommandLine line = Move("a", "x");
  line.sharding = "nonsense";
  EXPECT_EQ(Run(line), ExitCode::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr("'nonsense'; there are jump, murmur, "),
                          Not(HasSubstr("xor"))));
}

TEST_F(CommandLineTest, RefusalsAreToldAlsoAtLevel0) {
  CommandLine line = Move("missing", "x");
  line.level = 0;
  EXPECT_EQ(Run(line), ExitCode::kRefused);
  EXPECT_THAT(err_, AllOf(StartsWith("reshard: refused: "),
                          HasSubstr(dir_.Join("missing"))));
  EXPECT_THAT(out_, IsEmpty());
  line = Move("a", "x");
  line.sharding = "xor";
  EXPECT_EQ(Run(line), ExitCode::kRefused);
  EXPECT_THAT(err_, HasSubstr("'xor'"));
}

TEST_F(CommandLineTest, AnInterruptedRunSaysHowToGoOn) {
  const std::atomic<bool> stop{true};
  environment_.stop = &stop;
  EXPECT_EQ(Run(Move("a", "a,b")), ExitCode::kInterrupted);
  EXPECT_THAT(err_, HasSubstr("run the same command again"));
  EXPECT_THAT(out_, IsEmpty());
  environment_.stop = nullptr;
  EXPECT_EQ(Run(Move("a", "a,b")), ExitCode::kDone);
}

TEST(ExitCodeTest, EveryKindOfErrorHasOne) {
  EXPECT_EQ(ExitCodeOf(absl::OkStatus()), ExitCode::kDone);
  EXPECT_EQ(ExitCodeOf(absl::InvalidArgumentError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::DataLossError("")), ExitCode::kStorage);
  EXPECT_EQ(ExitCodeOf(absl::ResourceExhaustedError("")), ExitCode::kStorage);
  EXPECT_EQ(ExitCodeOf(absl::PermissionDeniedError("")), ExitCode::kStorage);
  EXPECT_EQ(ExitCodeOf(absl::UnavailableError("")), ExitCode::kStorage);
  EXPECT_EQ(ExitCodeOf(absl::FailedPreconditionError("")), ExitCode::kRefused);
  EXPECT_EQ(ExitCodeOf(absl::NotFoundError("")), ExitCode::kRefused);
  EXPECT_EQ(ExitCodeOf(absl::UnimplementedError("")), ExitCode::kRefused);
  EXPECT_EQ(ExitCodeOf(absl::AbortedError("")), ExitCode::kVerification);
  EXPECT_EQ(ExitCodeOf(absl::CancelledError("")), ExitCode::kInterrupted);
}

}  // namespace
}  // namespace shardingdb
