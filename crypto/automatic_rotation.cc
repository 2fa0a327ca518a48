// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/automatic_rotation.h"

#include <utility>

namespace shardingdb {

AutomaticRotation::AutomaticRotation(std::shared_ptr<KeyRingFile> file,
                                     RotationPolicy policy, Report report,
                                     absl::Duration interval)
    : file_(std::move(file)),
      policy_(policy),
      report_(std::move(report)),
      interval_(interval),
      thread_([this] { Run(); }) {}

AutomaticRotation::~AutomaticRotation() {
  {
    absl::MutexLock lock(&mutex_);
    ended_ = true;
  }
  thread_.join();
}

void AutomaticRotation::Run() {
  for (;;) {
    const absl::StatusOr<bool> rotated = file_->RotateIfDue(policy_);
    if (report_ != nullptr) {
      if (!rotated.ok()) report_(rotated.status());
      if (rotated.ok() && *rotated) report_(file_->ring()->primary_id());
    }
    absl::MutexLock lock(&mutex_);
    if (mutex_.AwaitWithTimeout(absl::Condition(&ended_), interval_)) return;
  }
}

}  // namespace shardingdb
