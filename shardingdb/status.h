// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_STATUS_H_
#define SHARDINGDB_STATUS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "leveldb/status.h"

namespace shardingdb {

// Returns `status` with "place: " in front of its message and its code kept; OK stays OK.
[[nodiscard]] leveldb::Status Annotate(const leveldb::Status& status, absl::string_view place);
[[nodiscard]] absl::Status Annotate(const absl::Status& status, absl::string_view place);

// LevelDB's status as Abseil's: NotFound -> kNotFound, Corruption -> kDataLoss, NotSupported -> kUnimplemented,
// InvalidArgument -> kInvalidArgument, IOError -> kUnavailable (kResourceExhausted, kPermissionDenied, kFailedPrecondition where
// its text names a full disk or too many open files, a missing right, or a held lock).
[[nodiscard]] absl::Status ToAbslStatus(const leveldb::Status& status);

// Abseil's status as LevelDB's; the message starts with the name of the code where LevelDB has no such code.
[[nodiscard]] leveldb::Status ToLevelDbStatus(const absl::Status& status);


}  // namespace shardingdb

#endif  // SHARDINGDB_STATUS_H_
