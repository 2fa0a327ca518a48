// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_STORAGE_ERROR_H_
#define SHARDINGDB_RESHARD_STORAGE_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "leveldb/env.h"
#include "leveldb/status.h"

namespace shardingdb {

// `status` of a LevelDB in `folder` as Abseil's, with the folder in front and,
// if it is damage that names no file of it, the name of the damaged table: not
// all that LevelDB says of damage tells where that is. To find out, this reads
// the tables of the folder until it comes to the damage. OK stays OK.
[[nodiscard]] absl::Status StorageError(leveldb::Env* env,
                                        const std::string& folder,
                                        const leveldb::Status& status);

// The same for a status that has a folder in its message already.
[[nodiscard]] absl::Status NameDamage(leveldb::Env* env,
                                      const std::string& folder,
                                      const absl::Status& status);

// ResourceExhausted: what a call returns that got no more memory.
[[nodiscard]] absl::Status OutOfMemory();

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_STORAGE_ERROR_H_
