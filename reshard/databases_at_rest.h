// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_DATABASES_AT_REST_H_
#define SHARDINGDB_RESHARD_DATABASES_AT_REST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "crypto/keyring_command.h"
#include "leveldb/env.h"

namespace shardingdb {

// Opens the databases in `folders` without changing anything in them, and keeps
// others from opening them until the result ends. A null `env` means
// leveldb::Env::Default().
//
// Errors, with the folder: FailedPrecondition if it is open elsewhere, has no
// database or takes part in an unfinished reshard, or if it is not among
// `folders` though a set of theirs has it (see CheckNoneForgotten), or if they
// are not one whole set (see CheckWholeSet); DataLoss if it is damaged.
[[nodiscard]] absl::StatusOr<std::unique_ptr<crypto_internal::DatabasesAtRest>>
HoldDatabases(leveldb::Env* env, const std::vector<std::string>& folders);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_DATABASES_AT_REST_H_
