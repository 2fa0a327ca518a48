// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/interrupted_layout.h"
#include "reshard/offline_reshard.h"
#include "testing/power_loss_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

// Cuts the power after every step of a run, brings back what the disk then
// holds, and runs the same command again.
class PowerLossTest : public ::testing::TestWithParam<Layout> {
 protected:
  // Runs until so many steps are done. True if the power was cut.
  bool RunUntil(uint64_t steps, PowerLossEnv* env) {
    std::atomic<uint64_t> seen{0};
    ReshardOptions options = folders_.Options();
    options.env = env;
    options.on_step = [&](absl::string_view step) {
      // The run has synced the folder, by other means than this Env.
      if (step == "folder marked" || step == "contents marked" ||
          step == "marker removed" || step == "record written" ||
          step == "finished" || step == "output synced" ||
          step == "folder rewritten" || step == "progress removed") {
        for (const std::string& folder : options.inputs) {
          env->SyncFolder(folder);
        }
        for (const std::string& folder : options.outputs) {
          env->SyncFolder(folder);
        }
      }
      if (++seen == steps) env->CutPower();
    };
    const absl::Status status = Reshard(options).status();
    EXPECT_THAT(status.code(), ::testing::AnyOf(absl::StatusCode::kOk,
                                                absl::StatusCode::kUnavailable))
        << status;
    return seen >= steps;
  }

  void CutAfterEveryStep(const PowerLoss& loss, bool strict_names) {
    for (uint64_t steps = 1;; ++steps) {
      SCOPED_TRACE(steps);
      TempDir trash;
      PowerLossEnv env(leveldb::Env::Default(), trash.Join("trash"),
                       strict_names);
      folders_.Restore();
      if (!RunUntil(steps, &env)) break;
      PowerLoss this_loss = loss;
      this_loss.seed = steps;
      ASSERT_OK(env.RestorePower(this_loss));
      ReshardOptions again = folders_.Options();
      again.env = &env;
      ASSERT_OK(Reshard(again));
      folders_.ExpectDone();
      if (HasFailure()) return;
    }
  }

  InterruptedLayout folders_{GetParam()};
};

TEST_P(PowerLossTest, LosesNothingThatWasNotSynced) {
  CutAfterEveryStep({PowerLoss::Unsynced::kLost}, /*strict_names=*/true);
}

TEST_P(PowerLossTest, LosesNothingWhenSomeOfItWasWritten) {
  CutAfterEveryStep({PowerLoss::Unsynced::kRandom}, /*strict_names=*/false);
}

INSTANTIATE_TEST_SUITE_P(Layouts, PowerLossTest,
                         ::testing::ValuesIn(LayoutsToInterrupt()),
                         [](const ::testing::TestParamInfo<Layout>& info) {
                           return info.param.name;
                         });

INSTANTIATE_TEST_SUITE_P(Recodings, PowerLossTest,
                         ::testing::ValuesIn(RecodingsToInterrupt()),
                         [](const ::testing::TestParamInfo<Layout>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace shardingdb
