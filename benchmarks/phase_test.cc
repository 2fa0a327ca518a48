// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/phase.h"

#include <atomic>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/status.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// Nanoseconds of work, at least.
void Spin(int64_t nanoseconds) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(Phase, CallsEachThreadOnceAndMergesWhatTheyTimed) {
  std::atomic<int> sum = 0;
  const absl::StatusOr<PhaseResult> result =
      RunPhase(4, /*time_every=*/1, [&](int t, LatencyRecorder* recorder) {
        sum += 1 << (8 * t);
        for (int i = 0; i < 10; ++i) {
          const int got = recorder->Time([t] {
            Spin(t == 3 ? 2000000 : 1000);
            return t;
          });
          EXPECT_EQ(got, t);
        }
        return leveldb::Status::OK();
      });
  ASSERT_OK(result);
  EXPECT_EQ(sum, 0x01010101);
  EXPECT_EQ(result->latencies.samples, 40u);
  EXPECT_GE(result->latencies.At(0.5), 1);
  EXPECT_GE(result->latencies.At(0.9), 2000);  // a quarter took that long
  EXPECT_GE(result->latencies.At(1), result->latencies.At(0.99));
  EXPECT_GE(result->seconds, 0.02);
  EXPECT_GT(result->cpu_seconds, 0);
  EXPECT_EQ(result->operations, 0u);
}

TEST(Phase, TimesEachSoManythCall) {
  for (const auto& [every, samples] :
       {std::pair{1, 100u}, std::pair{7, 14u}, std::pair{0, 0u}}) {
    LatencyRecorder recorder(every);
    for (int i = 0; i < 100; ++i) recorder.Time([] { return 0; });
    EXPECT_EQ(recorder.histogram().count(), samples);
  }
}

TEST(Phase, ReturnsTheErrorOfTheLowestThread) {
  EXPECT_THAT(
      RunPhase(3, 0,
               [](int t, LatencyRecorder*) {
                 return t == 0 ? leveldb::Status::OK()
                               : leveldb::Status::IOError(t == 1 ? "one" : "2");
               }),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("one")));
}

}  // namespace
}  // namespace shardingdb
