// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Hexadecimal digits as files hold them: lower case, two a byte.

#ifndef SHARDINGDB_CRYPTO_HEX_H_
#define SHARDINGDB_CRYPTO_HEX_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {

std::string EncodeHex(absl::string_view bytes);

// The bytes that `hex` stands for, or nothing where it has an odd number of
// characters or others than 0-9 and a-f. So every text has one spelling.
[[nodiscard]] std::optional<std::string> DecodeHex(absl::string_view hex);

// The same for a secret, which leaves no copy elsewhere. Takes A-F too: people
// write it.
[[nodiscard]] std::optional<SecretBytes> DecodeSecretHex(absl::string_view hex);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_HEX_H_
