// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/json_report.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace shardingdb {
namespace {

using ::nlohmann::json;
using ::testing::HasSubstr;

RunResult Result(double seconds) {
  RunResult result;
  for (PhaseResult& phase : result.phases) {
    phase.operations = 1000;
    phase.seconds = seconds;
    phase.cpu_seconds = 2 * seconds;
    phase.written_bytes = 11;
    phase.latencies.samples = 500;
    for (size_t i = 0; i < kQuantiles.size(); ++i)
      phase.latencies.quantiles[i] = seconds * (i + 1);
  }
  result.peak_rss_bytes = 12;
  result.disk_bytes = 13;
  result.written_bytes = 14;
  return result;
}

Comparison TwoEngines() {
  WorkloadOptions options;
  options.values = ValueKind::kRandom;
  options.threads = 8;
  Comparison comparison;
  comparison.Add("leveldb", options, Result(1));
  for (double seconds : {3, 2, 7})
    comparison.Add("shardingdb:6:sealed", options, Result(seconds));
  return comparison;
}

TEST(JsonReport, HasALineForTheHeadAndEachCell) {
  ReportHead head;
  head.machine = "a \"fast\" one";
  head.command = "compare --quick";
  head.date = "today";
  const std::string text = ToJsonLines(head, TwoEngines());
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  ASSERT_EQ(lines.size(), 1 + 2 * 5 + 1);
  EXPECT_EQ(lines.back(), "");
  EXPECT_EQ(json::parse(lines[0]), json({{"machine", "a \"fast\" one"},
                                         {"command", "compare --quick"},
                                         {"date", "today"},
                                         {"version", kVersion}}));
  const json cell = json::parse(lines[6]);
  EXPECT_EQ(cell["latencies_us"].size(), kQuantiles.size());
  EXPECT_EQ(cell["latencies_us"][1], json({0.75, 6.0}));
  for (const auto& [name, value] : std::vector<std::pair<const char*, json>>{
           {"engine", "shardingdb:6:sealed"},
           {"workload", "notfound"},
           {"work", "paper"},
           {"value_bytes", 100},
           {"values", "random"},
           {"threads", 8},
           {"groups", 100},
           {"loops", 100},
           {"batch", 100},
           {"entries", 1000000},
           {"shards", 6},
           {"runs", 3},
           {"ops", 1000},
           {"seconds", 3.0},
           {"seconds_min", 2.0},
           {"seconds_max", 7.0},
           {"p50_us", 3.0},
           {"p99_us", 15.0},
           {"p999_us", 18.0},
           {"cpu_seconds", 6.0},
           {"latency_samples", 500},
           {"written_bytes", 11},
           {"peak_rss_bytes", 12},
           {"disk_bytes", 13},
           {"run_written_bytes", 14}}) {
    ASSERT_TRUE(cell.contains(name)) << name;
    EXPECT_EQ(cell[name], value) << name;
  }
}

TEST(JsonReport, HasTheSameInAnArray) {
  const ReportHead head;
  const json array = json::parse(ToJsonArray(head, TwoEngines()));
  const std::string text = ToJsonLines(head, TwoEngines());
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  ASSERT_EQ(array.size() + 1, lines.size());
  for (size_t i = 0; i < array.size(); ++i)
    EXPECT_EQ(array[i], json::parse(lines[i]));
}

TEST(JsonReport, TakesACommandOfAnyBytes) {
  ReportHead head;
  head.command = "compare --dir=\xff\xfe";
  EXPECT_THAT(ToJsonLines(head, Comparison()), HasSubstr("--dir=\xef\xbf\xbd"));
}

TEST(JsonReport, NamesTheVersionOfTheModule) {
  std::ifstream file("MODULE.bazel");
  const std::string module(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(module, HasSubstr(absl::StrCat("version = \"", kVersion, "\"")));
}

}  // namespace
}  // namespace shardingdb
