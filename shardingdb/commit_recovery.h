// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_COMMIT_RECOVERY_H_
#define SHARDINGDB_COMMIT_RECOVERY_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "shardingdb/commit_log.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

// Opens the commit log of a set, or a new one, and brings every shard up to it:
// whatever batch stands in the log is in all of its shards afterwards, durably,
// each applied once and in order. `shards` are those of the set, in their
// order, and are written by nobody else. On success the log is empty, and
// started.
//
// Errors, before anything is written to a shard:
//   FailedPrecondition  that of CommitLog::Open; the shards were last written
//                       with another log, or with one that is not there
//   DataLoss            a damaged log or record; a shard that is older than
//                       what the log begins with, such as one from a copy
// and those of reading and writing. options.accept_loss turns what is lost into
// what never was, and is for once.
[[nodiscard]] absl::StatusOr<std::unique_ptr<CommitLog>> RecoverSet(
    const CommitLog::Options& options, const ShardingFunc& function,
    absl::Span<const std::unique_ptr<DbHandle>> shards);

// For a set that is opened without a commit log. FailedPrecondition, with the
// shard, if one of `shards` was last written with one and the set was not
// closed since, so that batches may be there in some shards only: it has to be
// opened with that log. Unless `read_only`, removes what closing may have left.
[[nodiscard]] absl::Status LeaveCommitLog(
    absl::Span<const std::unique_ptr<DbHandle>> shards, bool read_only);

}  // namespace shardingdb

#endif  // SHARDINGDB_COMMIT_RECOVERY_H_
