// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_RUN_CONTEXT_H_
#define SHARDINGDB_RESHARD_RUN_CONTEXT_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "leveldb/env.h"
#include "reshard/open_set.h"
#include "reshard/plan.h"
#include "reshard/progress.h"
#include "reshard/value_codec.h"
#include "shardingdb/rate_limiter.h"

namespace shardingdb {

// What the steps of one run share. All pointers outlive the run.
struct RunContext {
  const ReshardPlan* plan = nullptr;
  OpenSet* set = nullptr;
  leveldb::Env* env = nullptr;
  Progress* progress = nullptr;

  // As ReshardOptions has them.
  size_t batch_bytes = size_t{1} << 20;
  ValueCodec in_values;
  ValueCodec out_values;

  // What lets written bytes through; null means no limit.
  RateLimiter* limiter = nullptr;

  // The run ends soon after it becomes true; null means never.
  const std::atomic<bool>* stop = nullptr;

  // Told the name of each point of docs/resharding.md that the run has passed,
  // from any thread. Tests end the process there. May be empty.
  std::function<void(absl::string_view step)> on_step;

  const std::string& path(size_t member) const {
    return plan->members[member].path;
  }
  bool stopped() const { return stop != nullptr && stop->load(); }
  void Passed(absl::string_view step) const {
    if (on_step) on_step(step);
  }
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_RUN_CONTEXT_H_
