// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/interrupted_layout.h"
#include "reshard/offline_reshard.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// Makes file operations of a run fail, and lets the same command finish.
class FaultTest : public ::testing::TestWithParam<Layout> {
 protected:
  absl::Status Run() {
    ReshardOptions options = folders_.Options();
    options.env = &env_;
    return Reshard(options).status();
  }

  void FinishAndCheck() {
    folders_.ExpectNothingLost();
    env_.RemoveAllFaults();
    env_.SetUnlimitedSpace();
    ASSERT_OK(Run());
    folders_.ExpectDone();
  }

  // Lets the first, a later and so on operation of this kind fail, and all that
  // follow as a broken disk would.
  void FailEach(const std::set<FileOperation>& operations, uint64_t stride) {
    int failed_runs = 0;
    for (uint64_t skip = 0;; skip += stride) {
      SCOPED_TRACE(skip);
      folders_.Restore();
      FileFault fault;
      fault.operations = operations;
      fault.skip = skip;
      const int number = env_.AddFault(fault);
      const absl::Status status = Run();
      if (env_.Failures(number) == 0) {
        EXPECT_OK(status);
        env_.RemoveAllFaults();
        folders_.ExpectDone();
        break;
      }
      // Some, as removing a file that is not needed, do no harm.
      if (!status.ok()) {
        ++failed_runs;
        // LevelDB does not tell of files that it cannot remove.
        EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnavailable,
                                     AnyOf(HasSubstr("injected fault"),
                                           HasSubstr("hold old values"),
                                           HasSubstr("holds old values"))));
        EXPECT_THAT(std::string(status.message()), HasSubstr(folders_.path()));
      }
      FinishAndCheck();
      if (HasFailure()) return;
    }
    EXPECT_GT(failed_runs, 0);
  }

  FaultInjectionEnv env_{leveldb::Env::Default()};
  InterruptedLayout folders_{GetParam()};
};

TEST_P(FaultTest, Creating) { FailEach({FileOperation::kCreate}, 2); }
TEST_P(FaultTest, Writing) { FailEach({FileOperation::kAppend}, 29); }
TEST_P(FaultTest, Syncing) { FailEach({FileOperation::kSync}, 3); }
TEST_P(FaultTest, Renaming) { FailEach({FileOperation::kRename}, 1); }
TEST_P(FaultTest, Removing) { FailEach({FileOperation::kRemove}, 5); }

// As a kill there, or a disk that is gone.
TEST_P(FaultTest, EverythingFromSomePointOn) {
  FailEach(
      {FileOperation::kCreate, FileOperation::kAppend, FileOperation::kSync,
       FileOperation::kRename, FileOperation::kRemove},
      11);
}

TEST_P(FaultTest, Reading) { FailEach({FileOperation::kRead}, 7); }

TEST_P(FaultTest, AFullDisk) {
  int full = 0;
  for (uint64_t space = 100;; space = space * 3 / 2) {
    SCOPED_TRACE(space);
    folders_.Restore();
    env_.SetFreeSpace(space);
    const absl::Status status = Run();
    if (status.ok()) {
      env_.SetUnlimitedSpace();
      folders_.ExpectDone();
      break;
    }
    ++full;
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted,
                                 HasSubstr("No space left on device")));
    FinishAndCheck();
    if (HasFailure()) return;
  }
  EXPECT_GT(full, 5);
}

INSTANTIATE_TEST_SUITE_P(Layouts, FaultTest,
                         ::testing::ValuesIn(LayoutsToInterrupt()),
                         [](const ::testing::TestParamInfo<Layout>& info) {
                           return info.param.name;
                         });

INSTANTIATE_TEST_SUITE_P(Recodings, FaultTest,
                         ::testing::ValuesIn(RecodingsToInterrupt()),
                         [](const ::testing::TestParamInfo<Layout>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace shardingdb
