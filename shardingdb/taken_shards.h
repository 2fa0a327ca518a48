// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TAKEN_SHARDS_H_
#define SHARDINGDB_TAKEN_SHARDS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/set_layout.h"
#include "shardingdb/shard_opener.h"

namespace shardingdb {

// Takes handles that are open already as the shards of the one set that is
// `wanted`, as OpenShards opens folders: looks at their labels, puts them into
// order, and labels those of a new set. If one is read-only nothing is written.
//
// Errors are those of ShardRouter::Check, CheckOrderForOpaqueKeys and
// DecideLayout, which come before anything is written, and of reading and
// writing labels. The handles are closed then.
[[nodiscard]] absl::StatusOr<OpenedSet> TakeShards(
    std::vector<std::unique_ptr<DbHandle>> handles, SetLayoutWanted wanted);

}  // namespace shardingdb

#endif  // SHARDINGDB_TAKEN_SHARDS_H_
