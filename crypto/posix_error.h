// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What the system says of a file, as a status.

#ifndef SHARDINGDB_CRYPTO_POSIX_ERROR_H_
#define SHARDINGDB_CRYPTO_POSIX_ERROR_H_

#include <string>

#include "absl/status/status.h"

namespace shardingdb::crypto_internal {

// "path: what errno says", as
//   kNotFound            there is no such file or folder
//   kPermissionDenied    it may not be opened or changed
//   kFailedPrecondition  the path cannot be one of a file
//   kResourceExhausted   a full disk, a quota, a limit
//   kUnavailable         anything else
[[nodiscard]] absl::Status PosixError(const std::string& path, int error);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_POSIX_ERROR_H_
