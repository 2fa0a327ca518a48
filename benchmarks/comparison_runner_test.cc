// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/comparison_runner.h"

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ComparisonRunnerTest : public ::testing::Test {
 protected:
  ComparisonRunnerTest() {
    WorkloadOptions workload;
    workload.groups = 4;
    workload.threads = 4;
    workload.loops = 2;
    workload.batch = 10;
    options_.workloads = {workload};
    options_.folder = dir_.path();
    options_.say = [this](absl::string_view line) {
      lines_.push_back(std::string(line));
    };
  }

  void SetEngines(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      ASSERT_OK_AND_ASSIGN(const Engine engine, ParseEngine(name));
      options_.engines.push_back(engine);
    }
  }

  const TempDir dir_;
  ComparisonOptions options_;
  std::vector<std::string> lines_;
};

TEST_F(ComparisonRunnerTest, RotatesTheEngines) {
  SetEngines({"leveldb", "shardingdb:2", "shardingdb:1"});
  options_.repeats = 2;
  ASSERT_OK_AND_ASSIGN(const Comparison comparison, RunComparison(options_));
  EXPECT_THAT(
      lines_,
      ElementsAre(StartsWith("leveldb,"), StartsWith("shardingdb:2,"),
                  StartsWith("shardingdb:1,"), StartsWith("shardingdb:2,"),
                  StartsWith("shardingdb:1,"), StartsWith("leveldb,")));
  EXPECT_THAT(comparison.ToMarkdown(), HasSubstr("| × leveldb |"));
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

TEST_F(ComparisonRunnerTest, NamesTheEngineThatFails) {
  SetEngines({"shardingdb:2"});
  options_.folder = "/dev/null";
  EXPECT_THAT(RunComparison(options_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       StartsWith("shardingdb:2: ")));
  EXPECT_THAT(lines_, ElementsAre());
}

}  // namespace
}  // namespace shardingdb
