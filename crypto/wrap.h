// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// One small secret under one key, with a random nonce.

#ifndef SHARDINGDB_CRYPTO_WRAP_H_
#define SHARDINGDB_CRYPTO_WRAP_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {

// How much longer a wrapped secret is: a nonce in front, a tag behind.
inline constexpr size_t kWrapOverhead = 24 + 16;

// `secret` under `key` (32 bytes), by XAES-256-GCM: nonce, ciphertext, tag. The
// nonce is random and long enough for any number of calls.
//
// Errors:
//   kInvalidArgument  the key is not 32 bytes
//   kUnavailable      the system gave no randomness
//   kInternal         the library failed
[[nodiscard]] absl::StatusOr<std::string> WrapSecret(
    const SecretBytes& key, absl::string_view associated_data,
    const SecretBytes& secret);

// The secret again.
//
// Errors:
//   kInvalidArgument  the key is not 32 bytes
//   kDataLoss         `wrapped` is too short or does not authenticate: another
//                     key, other associated data, or changed
//   kInternal         the library failed
[[nodiscard]] absl::StatusOr<SecretBytes> UnwrapSecret(
    const SecretBytes& key, absl::string_view associated_data,
    absl::string_view wrapped);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_WRAP_H_
