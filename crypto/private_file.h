// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A file that only its owner may read, as keys are kept in.

#ifndef SHARDINGDB_CRYPTO_PRIVATE_FILE_H_
#define SHARDINGDB_CRYPTO_PRIVATE_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {

// All of the file at `path`, which is at most `max_size` bytes long. Follows
// symbolic links, and never waits at a pipe or a device.
//
// Errors, all with the path:
//   kFailedPrecondition  not a regular file, longer than `max_size`, or one
//                        that group or others may use; the message then has the
//                        command that puts it right
//   kUnavailable         reading failed
//   others               it cannot be opened, see PosixError()
[[nodiscard]] absl::StatusOr<std::string> ReadPrivateFile(
    const std::string& path, size_t max_size);

// The same where the file is a secret itself.
[[nodiscard]] absl::StatusOr<SecretBytes> ReadSecretFile(
    const std::string& path, size_t max_size);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_PRIVATE_FILE_H_
