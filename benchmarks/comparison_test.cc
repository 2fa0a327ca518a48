// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/comparison.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// Phase i takes (i + 1) times as long as the first.
RunResult Result(double seconds) {
  RunResult result;
  for (size_t i = 0; i < kMaxPhases; ++i) {
    result.phases[i].operations = 1000;
    result.phases[i].seconds = seconds * (i + 1);
    result.phases[i].cpu_seconds = 2 * seconds * (i + 1);
  }
  for (PhaseResult& phase : result.phases) {
    for (size_t i = 0; i < kQuantiles.size(); ++i)
      phase.latencies.quantiles[i] = seconds * (i + 1);
    phase.written_bytes = 7 << 20;
  }
  result.written_bytes = 9 << 20;
  result.peak_rss_bytes = 3 << 20;
  result.disk_bytes = 5 << 20;
  return result;
}

WorkloadOptions Options(size_t value_bytes, int threads) {
  WorkloadOptions options;
  options.value_bytes = value_bytes;
  options.threads = threads;
  return options;
}

TEST(Spread, HasMedianAndEnds) {
  const Spread odd = Spread::Of({3, 1, 10});
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 10);
  EXPECT_EQ(Spread::Of({1, 2, 4, 100}).median, 3);
  EXPECT_EQ(Spread::Of({7}).median, 7);
}

TEST(Comparison, ComparesWithTheFirstEngine) {
  Comparison comparison;
  comparison.Add("leveldb", Options(100, 100), Result(2));
  comparison.Add("shardingdb:3", Options(100, 100), Result(0.5));
  EXPECT_EQ(
      comparison.ToMarkdown(),
      "### 100 B values, 100 threads, 1000000 entries in batches of 100\n"
      "\n"
      "| engine | put, s | × leveldb | get, s | × leveldb | not found, s | "
      "× leveldb | delete, s | × leveldb | scan, s | × leveldb |\n"
      "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n"
      "| leveldb | 2.00 | 1.00 | 4.00 | 1.00 | 6.00 | 1.00 | 8.00 | 1.00 | "
      "10.00 | 1.00 |\n"
      "| shardingdb:3 | 0.50 | 4.00 | 1.00 | 4.00 | 1.50 | 4.00 | 2.00 | 4.00 "
      "| "
      "2.50 | 4.00 |\n"
      "\n");
}

TEST(Comparison, HasATableForEachSizeAndNumberOfThreads) {
  Comparison comparison;
  for (int threads : {100, 1})
    for (size_t bytes : {100, 1024})
      comparison.Add("leveldb", Options(bytes, threads), Result(1));
  const std::string text = comparison.ToMarkdown();
  EXPECT_THAT(text, HasSubstr("### 100 B values, 100 threads,"));
  EXPECT_THAT(text, HasSubstr("### 1024 B values, 100 threads,"));
  EXPECT_THAT(text, HasSubstr("### 100 B values, 1 thread,"));
  EXPECT_THAT(text, HasSubstr("### 1024 B values, 1 thread,"));
}

TEST(Comparison, DetailsShowTheSpreadOfRunsWhateverTheirOrder) {
  Comparison comparison;
  comparison.Add("leveldb", Options(100, 100), Result(2));
  comparison.Add("shardingdb:3", Options(100, 100), Result(1));
  comparison.Add("shardingdb:3", Options(100, 100), Result(4));
  comparison.Add("leveldb", Options(100, 100), Result(8));
  comparison.Add("shardingdb:3", Options(100, 100), Result(1.5));
  const std::string text = comparison.DetailsToMarkdown();
  EXPECT_THAT(text,
              HasSubstr("| leveldb | put | 2 | 5.000 | 2.000 | 8.000 | "
                        "200 | 5.0 | 25.0 | 30.0 | 10.000 | 1.00 | 7 |\n"));
  EXPECT_THAT(text,
              HasSubstr("| shardingdb:3 | put | 3 | 1.500 | 1.000 | 4.000 "
                        "| 667 | 1.5 | 7.5 | 9.0 | 3.000 | 3.33 | 7 |\n"));
  EXPECT_THAT(text, HasSubstr("| shardingdb:3 | 3 | 5 | 9 |\n"));
}

}  // namespace
}  // namespace shardingdb
