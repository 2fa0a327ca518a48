// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/interrupted_layout.h"
#include "reshard/offline_reshard.h"
#include "testing/run_program.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

constexpr int kKilled = 128 + 9;

// Kills the process that reshards, again and again, and lets the same command
// finish its work.
class KillTest : public ::testing::TestWithParam<Layout> {
 protected:
  ProgramResult RunAndKill(const std::string& what, uint64_t at) {
    const ReshardOptions options = folders_.Options();
    return RunProgram(
        "reshard/step_killer",
        {what, absl::StrCat(at), absl::StrJoin(options.inputs, ","),
         absl::StrJoin(options.outputs, ","), absl::StrCat(options.batch_bytes),
         folders_.in_values(), folders_.out_values()});
  }

  void FinishAndCheck() {
    folders_.ExpectNothingLost();
    ASSERT_OK(Reshard(folders_.Options()));
    folders_.ExpectDone();
  }

  // Every point that is a multiple of `stride` of those there are.
  void KillAt(const std::string& what, uint64_t first, uint64_t stride) {
    for (uint64_t at = first;; at += stride) {
      SCOPED_TRACE(absl::StrCat(what, " ", at));
      folders_.Restore();
      const ProgramResult result = RunAndKill(what, at);
      if (result.exit_code == 0) break;
      ASSERT_EQ(result.exit_code, kKilled) << result.err;
      FinishAndCheck();
      if (HasFailure()) return;
    }
  }

  InterruptedLayout folders_{GetParam()};
};

TEST_P(KillTest, AtEveryStep) { KillAt("steps", 1, 1); }

TEST_P(KillTest, AtManyChangesOfFiles) { KillAt("files", 3, 13); }

TEST_P(KillTest, AFolderWithoutAMarkerMayBeInUseAgain) {
  int written = 0;
  for (uint64_t at = 1;; ++at) {
    SCOPED_TRACE(at);
    folders_.Restore();
    if (RunAndKill("steps", at).exit_code == 0) break;
    if (!folders_.WriteWhereNotMarked()) continue;
    ++written;
    FinishAndCheck();
    if (HasFailure()) return;
  }
  EXPECT_GT(written, 0);
}

// The run that finishes is killed as well, several times.
TEST_P(KillTest, AgainAndAgain) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    folders_.Restore();
    int kills = 0;
    for (int exit_code = kKilled; exit_code == kKilled && kills < 8; ++kills) {
      exit_code = RunAndKill("files", 1 + random() % 150).exit_code;
      folders_.ExpectNothingLost();
    }
    EXPECT_GT(kills, 1);
    FinishAndCheck();
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, KillTest,
                         ::testing::ValuesIn(LayoutsToInterrupt()),
                         [](const ::testing::TestParamInfo<Layout>& info) {
                           return info.param.name;
                         });

INSTANTIATE_TEST_SUITE_P(Recodings, KillTest,
                         ::testing::ValuesIn(RecodingsToInterrupt()),
                         [](const ::testing::TestParamInfo<Layout>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace shardingdb
