// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A question to whoever sits at the terminal.

#ifndef SHARDINGDB_CRYPTO_ASK_PASSPHRASE_H_
#define SHARDINGDB_CRYPTO_ASK_PASSPHRASE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {

// Shows `prompt` on the terminal that the process belongs to, and reads a line
// without showing it. A signal that ends the process ends it with the terminal
// as it was.
//
// For programs of one thread: signal handlers are the process's.
//
// Errors:
//   kFailedPrecondition  there is no terminal
//   kInvalidArgument     more than 1024 bytes
//   kCancelled           the end of the input instead of a line
//   kUnavailable         reading failed
[[nodiscard]] absl::StatusOr<SecretBytes> AskPassphrase(
    absl::string_view prompt);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_ASK_PASSPHRASE_H_
