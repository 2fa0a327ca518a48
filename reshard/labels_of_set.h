// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_LABELS_OF_SET_H_
#define SHARDINGDB_RESHARD_LABELS_OF_SET_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reshard/open_set.h"
#include "shardingdb/set_layout.h"

namespace shardingdb {

// What the databases `numbers` of `set`, which are open, say of themselves: by
// their place in `numbers`. Errors of reading.
[[nodiscard]] absl::StatusOr<std::vector<FoundShard>> ReadLabels(
    const OpenSet& set, const std::vector<size_t>& numbers);

// FailedPrecondition or DataLoss, naming folders, if the open databases of
// `set` have labels and are not all shards of one set, each once. Their order
// does not matter, nor do labels if none has one.
[[nodiscard]] absl::Status CheckWholeSet(const OpenSet& set);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_LABELS_OF_SET_H_
