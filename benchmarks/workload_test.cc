// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/workload.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Workload, EachNameIsAWorkThatIsDone) {
  for (const std::string& work : WorkNames()) {
    EXPECT_OK(CheckWork(work));
    WorkloadOptions options;
    options.work = work;
    options.groups = 4;
    options.threads = 3;
    options.loops = 5;
    options.batch = 10;
    options.time_every = 1;
    ModelDb db;
    ASSERT_OK_AND_ASSIGN(const WorkloadResult result,
                         RunWorkload(&db, options));
    ASSERT_LE(PhaseNames(work).size(), kMaxPhases);
    for (size_t i = 0; i < kMaxPhases; ++i) {
      const bool done = i < PhaseNames(work).size();
      EXPECT_EQ(result[i].operations > 0, done) << work << " " << i;
      EXPECT_EQ(result[i].seconds > 0, done) << work << " " << i;
      EXPECT_EQ(result[i].latencies.samples > 0, done) << work << " " << i;
    }
  }
}

TEST(Workload, HasTheSizesOfItsCommunity) {
  EXPECT_THAT(DefaultValueBytes("paper"), ElementsAre(100, 1024));
  EXPECT_THAT(DefaultValueBytes("ycsb-a"), ElementsAre(1024));
  EXPECT_THAT(DefaultValueBytes("readseq"), ElementsAre(100));
}

TEST(Workload, RefusesOtherNamesAndSaysWhichThereAre) {
  for (const char* work : {"", "Paper", "put"}) {
    EXPECT_THAT(CheckWork(work), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("there are paper")));
  }
}

}  // namespace
}  // namespace shardingdb
