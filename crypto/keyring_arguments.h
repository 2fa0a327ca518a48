// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CRYPTO_KEYRING_ARGUMENTS_H_
#define SHARDINGDB_CRYPTO_KEYRING_ARGUMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace shardingdb::crypto_internal {

// The arguments of the program keyring (those of main without its name) as the
// flag library wants them: names of flags with '_' where people write '-'. All
// else stays as it is.
//
// Errors:
//   kInvalidArgument  a flag is given twice; the library would let the last one
//                     win
[[nodiscard]] absl::StatusOr<std::vector<std::string>> KeyringArguments(
    const std::vector<std::string>& arguments);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_KEYRING_ARGUMENTS_H_
