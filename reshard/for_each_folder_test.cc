// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/for_each_folder.h"

#include <atomic>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

TEST(ForEachFolderTest, CallsForEach) {
  std::vector<std::atomic<int>> calls(20);
  std::vector<size_t> folders = {3, 7, 19, 0};
  EXPECT_OK(ForEachFolder(folders, [&](size_t folder) {
    ++calls[folder];
    return absl::OkStatus();
  }));
  for (size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i], i == 0 || i == 3 || i == 7 || i == 19) << i;
  }
}

TEST(ForEachFolderTest, OfNoneIsOk) {
  EXPECT_OK(ForEachFolder(
      {}, [](size_t) { return absl::InternalError("never called"); }));
}

TEST(ForEachFolderTest, ReturnsTheErrorOfTheFirstInTheList) {
  std::atomic<int> calls{0};
  EXPECT_THAT(ForEachFolder({5, 4, 3, 2, 1},
                            [&](size_t folder) -> absl::Status {
                              ++calls;
                              if (folder == 4) {
                                return absl::DataLossError("four");
                              }
                              if (folder < 3) {
                                return absl::AbortedError("later");
                              }
                              return absl::OkStatus();
                            }),
              StatusIs(absl::StatusCode::kDataLoss, "four"));
  EXPECT_EQ(calls, 5);
}

}  // namespace
}  // namespace shardingdb
