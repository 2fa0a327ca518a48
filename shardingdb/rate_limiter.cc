// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/rate_limiter.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"

namespace shardingdb {
namespace {

// How often somebody who waits looks whether to stop.
constexpr absl::Duration kLook = absl::Milliseconds(100);

RateLimiter::Options WithClock(RateLimiter::Options options) {
  if (!options.now) options.now = [] { return absl::Now(); };
  if (!options.sleep)
    options.sleep = [](absl::Duration d) { absl::SleepFor(d); };
  return options;
}

}  // namespace

RateLimiter::RateLimiter(Options options)
    : options_(WithClock(std::move(options))) {}

absl::Time RateLimiter::Reserve(uint64_t bytes) {
  const double seconds = static_cast<double>(bytes) /
                         static_cast<double>(options_.bytes_per_second);
  absl::MutexLock lock(&mutex_);
  const absl::Time begin = std::max(free_at_, options_.now());
  free_at_ = begin + absl::Seconds(seconds);
  return begin;
}

void RateLimiter::Take(uint64_t bytes) {
  if (options_.bytes_per_second == 0) return;
  const absl::Time begin = Reserve(bytes);
  while (options_.stop == nullptr || !options_.stop->load()) {
    const absl::Duration left = begin - options_.now();
    if (left <= absl::ZeroDuration()) return;
    options_.sleep(std::min(left, kLook));
  }
}

}  // namespace shardingdb
