// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/workload_options.h"

#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

absl::Status CheckNumber(const char* what, size_t number, size_t min,
                         size_t max) {
  if (number >= min && number <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is ", min, " to ", max, ", not ", number));
}

}  // namespace

absl::Status CheckOptions(const WorkloadOptions& options) {
  absl::Status status = CheckNumber("groups", options.groups, 1, kMaxGroups);
  status.Update(CheckNumber("threads", options.threads, 1, options.groups));
  status.Update(CheckNumber("loops", options.loops, 1, kMaxLoops));
  status.Update(CheckNumber("batch", options.batch, 2, kMaxBatch));
  status.Update(CheckNumber("value_bytes", options.value_bytes, kMinValueBytes,
                            kMaxValueBytes));
  status.Update(
      CheckNumber("time_every", options.time_every, 0, kMaxTimeEvery));
  return status;
}

}  // namespace shardingdb
