// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_FOLDERS_DIGEST_H_
#define SHARDINGDB_RESHARD_FOLDERS_DIGEST_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "leveldb/env.h"
#include "reshard/progress.h"
#include "reshard/value_codec.h"

namespace shardingdb {

struct FoldersDigest {
  uint64_t entries = 0;
  std::string sha256;  // hex; see SetDigest
};

// Reads the LevelDBs in `folders` as one set, in any order, and returns its
// SetDigest. Changes nothing, not even a time stamp. Only `folders` is
// required: a null env is leveldb::Env::Default(), and values are taken as they
// are stored unless `values` says how to open them.
//
// Errors, with the folder: FailedPrecondition if one is locked, takes part in
// an unfinished reshard, is listed twice, has another comparator or no LevelDB,
// or if its values are not in the form of `values`, or if they are a part of
// a set by their labels; DataLoss for a value that
// does not open; Aborted if a key is in two of them; Cancelled and others as of
// ScanUnion.
[[nodiscard]] absl::StatusOr<FoldersDigest> DigestOfFolders(
    const std::vector<std::string>& folders, leveldb::Env* env = nullptr,
    Progress* progress = nullptr, const std::atomic<bool>* stop = nullptr,
    const ValueCodec& values = ValueCodec());

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_FOLDERS_DIGEST_H_
