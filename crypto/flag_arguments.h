// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CRYPTO_FLAG_ARGUMENTS_H_
#define SHARDINGDB_CRYPTO_FLAG_ARGUMENTS_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace shardingdb::crypto_internal {

// The arguments of a program (those of main without its name) as the flag
// library wants them: names of flags with '_' where people write '-'. All else
// stays as it is. `without_value` are the flags, with '_', that no value
// follows.
//
// Errors:
//   kInvalidArgument  a flag is given twice; the library would let the last one
//                     win
[[nodiscard]] absl::StatusOr<std::vector<std::string>> FlagArguments(
    const std::vector<std::string>& arguments,
    const std::set<std::string>& without_value);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_FLAG_ARGUMENTS_H_
