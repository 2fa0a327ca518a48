// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/workload_options.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

TEST(WorkloadOptions, AreChecked) {
  EXPECT_OK(CheckOptions(WorkloadOptions()));
  WorkloadOptions options = WorkloadOptions();
  options.groups = 3;
  options.threads = 4;
  EXPECT_THAT(
      CheckOptions(options),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("threads")));
  options = WorkloadOptions();
  options.groups = kMaxGroups + 1;
  EXPECT_THAT(
      CheckOptions(options),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("groups")));
  options = WorkloadOptions();
  options.loops = 0;
  EXPECT_THAT(CheckOptions(options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("loops")));
  options = WorkloadOptions();
  options.batch = 1;
  EXPECT_THAT(CheckOptions(options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("batch")));
  options = WorkloadOptions();
  options.value_bytes = kMinValueBytes - 1;
  EXPECT_THAT(
      CheckOptions(options),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("value_bytes")));
  options = WorkloadOptions();
  options.time_every = -1;
  EXPECT_THAT(
      CheckOptions(options),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("time_every")));
}

}  // namespace
}  // namespace shardingdb
