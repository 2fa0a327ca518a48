// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/child_process.h"

#include <unistd.h>

#include <csignal>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

TEST(ChildProcess, ReturnsTheResult) {
  const pid_t parent = ::getpid();
  const absl::StatusOr<pid_t> child =
      RunInChildAs<pid_t>([]() -> absl::StatusOr<pid_t> { return ::getpid(); });
  ASSERT_OK(child);
  EXPECT_NE(*child, parent);
}

TEST(ChildProcess, ReturnsMoreThanAPipeHolds) {
  const std::string large(1 << 20, 'x');
  const absl::StatusOr<std::string> result =
      RunInChild([&]() -> absl::StatusOr<std::string> { return large; });
  ASSERT_OK(result);
  EXPECT_EQ(result->size(), large.size());
}

TEST(ChildProcess, ReturnsTheError) {
  EXPECT_THAT(RunInChild([]() -> absl::StatusOr<std::string> {
                return absl::DataLossError("key 7 is lost");
              }),
              StatusIs(absl::StatusCode::kDataLoss, "key 7 is lost"));
}

TEST(ChildProcess, SaysHowItEnded) {
  EXPECT_THAT(RunInChild([]() -> absl::StatusOr<std::string> {
                ::raise(SIGKILL);
                return "";
              }),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("signal 9")));
  EXPECT_THAT(RunInChild([]() -> absl::StatusOr<std::string> { ::_exit(3); }),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("exit code 3")));
}

}  // namespace
}  // namespace shardingdb
