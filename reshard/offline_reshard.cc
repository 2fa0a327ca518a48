// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/offline_reshard.h"

#include "reshard/reshard_run.h"

namespace shardingdb {

absl::StatusOr<ReshardResult> Reshard(const ReshardOptions& options) {
  return ReshardRun(options).Execute();
}

}  // namespace shardingdb
