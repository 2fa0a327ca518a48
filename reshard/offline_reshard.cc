// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/offline_reshard.h"

#include <new>

#include "reshard/reshard_run.h"
#include "reshard/storage_error.h"

namespace shardingdb {

absl::StatusOr<ReshardResult> Reshard(const ReshardOptions& options) {
  try {
    return ReshardRun(options).Execute();
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
}

}  // namespace shardingdb
