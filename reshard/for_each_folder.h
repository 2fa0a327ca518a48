// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_FOR_EACH_FOLDER_H_
#define SHARDINGDB_RESHARD_FOR_EACH_FOLDER_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace shardingdb {

// Calls `work` with each of `folders`, several at a time, and returns the error
// of the first one in the list that failed. All are called even so.
[[nodiscard]] absl::Status ForEachFolder(
    const std::vector<size_t>& folders,
    absl::FunctionRef<absl::Status(size_t folder)> work);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_FOR_EACH_FOLDER_H_
