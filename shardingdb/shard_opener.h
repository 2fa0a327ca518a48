// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARD_OPENER_H_
#define SHARDINGDB_SHARD_OPENER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/set_layout.h"
#include "shardingdb/shared_resources.h"

namespace shardingdb {

// The shards of a set that is open, by their numbers.
struct OpenedSet {
  std::vector<std::unique_ptr<DbHandle>> shards;

  // What the shards have counted of labels, which no user has asked for.
  DbStats counted;
};

// Opens the folders `paths` as the shards of the one set that is `wanted`, in
// whatever order, which share what `resources` describes (options.resources is
// not used). Shards that know which ones they are come as that (ShardLabel);
// those of a new set are labelled.
//
// InvalidArgument, before anything is touched: no paths, more than kMaxShards,
// an empty one, or two that are one folder (by canonical path, or by device and
// inode where both exist). Otherwise the error of the lowest shard that failed,
// with "shard N: " in front; then all are closed again, and the folders and
// files that this call has made are gone, also from folders that were there (an
// empty file LOCK stays in these, and a database whose label was written, which
// the next call goes on with). What others have made meanwhile stays.
//
// Errors of DecideLayout come when every folder that has a database is locked
// and has been looked into, and before a byte has changed in any.
//
// Databases are made only after all that are there have been opened, the lowest
// one before the others. So of several processes or threads that make one set
// at once, and do not fail otherwise, one gets it and the others get
// FailedPrecondition, or Unavailable where one that fails removes a folder.
// Those that open a set that is there at once may all be refused.
//
// FailedPrecondition also if some folders hold no database while another has
// ever been written, also if nothing of that is left: a folder that is lost or
// not mounted must not become an empty shard. (Where nothing was written it is
// a creation that was cut short, and is finished.)
[[nodiscard]] absl::StatusOr<OpenedSet> OpenShards(
    const std::vector<std::string>& paths, const ShardOptions& options,
    const ResourceOptions& resources, const SetLayoutWanted& wanted);

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARD_OPENER_H_
