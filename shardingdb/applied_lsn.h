// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_APPLIED_LSN_H_
#define SHARDINGDB_APPLIED_LSN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/slice.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/reserved_key.h"

namespace shardingdb {

// How far a shard has applied a commit log. It is a record of the shard itself,
// put by the same LevelDB batch as what it tells of, so that the two are never
// apart. See docs/formats/commit-log.md.
struct AppliedLsn {
  // Of the commit log, CommitLog::id().
  std::string log;

  // All batches of that log up to this one are applied, as far as they concern
  // the shard; none behind it is.
  uint64_t lsn = 0;

  // True once the set was closed in order: whatever was acknowledged is in the
  // shards, and the log is needed no more.
  bool closed = false;
};

// Where it stands in the shard.
inline const leveldb::Slice& AppliedLsnKey() {
  static const std::string* const bytes =
      new std::string(std::string(kReservedKeyPrefix) + "applied-lsn");
  static const leveldb::Slice key(*bytes);
  return key;
}

// The bytes of a key and value of it.
inline constexpr size_t kAppliedLsnEntryBytes = 26 + 26;

std::string EncodeAppliedLsn(const AppliedLsn& applied);

// DataLoss for bytes that are none; FailedPrecondition for those of a newer
// version.
[[nodiscard]] absl::StatusOr<AppliedLsn> ParseAppliedLsn(
    absl::string_view bytes);

// That of `shard`; nothing where there is none. Errors as above, and those of
// reading.
[[nodiscard]] absl::StatusOr<std::optional<AppliedLsn>> ReadAppliedLsn(
    DbHandle* shard);

}  // namespace shardingdb

#endif  // SHARDINGDB_APPLIED_LSN_H_
