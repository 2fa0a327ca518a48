// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_MANIFEST_LOG_H_
#define SHARDINGDB_RESHARD_MANIFEST_LOG_H_

#include <string>

#include "absl/status/status.h"
#include "leveldb/env.h"

namespace shardingdb {

// DataLoss, with its name, if the log that the manifest of the LevelDB in
// `folder` names is missing: LevelDB opens such a database without a word, and
// without the entries that were in the log. OK where there is no database, or
// no manifest that can be read, as LevelDB reports that itself.
[[nodiscard]] absl::Status CheckManifestLog(leveldb::Env* env,
                                            const std::string& folder);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_MANIFEST_LOG_H_
