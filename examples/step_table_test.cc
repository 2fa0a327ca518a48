// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "examples/step_table.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(StepTable, ShowsStepsInOrderAndDashesForWhatWasNotDone) {
  StepTable table({"3 shards", "one plain LevelDB"});
  table.Note("write 10 entries", 0, 1.5);
  table.Note("reshard", 0, 2.25);
  table.Note("write 10 entries", 1, 12.125);
  EXPECT_EQ(table.ToString(),
            "                   3 shards  one plain LevelDB\n"
            "write 10 entries     1.50 s            12.12 s\n"
            "reshard              2.25 s                  -\n");
}

TEST(StepTable, TimesWhatSucceeds) {
  StepTable table({"run"});
  EXPECT_OK(table.Time("step", 0, [] { return absl::OkStatus(); }));
  EXPECT_THAT(table.ToString(), HasSubstr("step"));
}

TEST(StepTable, NamesTheStepThatFailed) {
  StepTable table({"run"});
  const absl::Status status = table.Time(
      "scan", 0, [] { return absl::DataLossError("key 7 is lost"); });
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kDataLoss, "scan: key 7 is lost"));
  EXPECT_THAT(table.ToString(), Not(HasSubstr("scan")));
}

}  // namespace
}  // namespace shardingdb
