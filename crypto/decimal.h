// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Decimal numbers as files hold them.

#ifndef SHARDINGDB_CRYPTO_DECIMAL_H_
#define SHARDINGDB_CRYPTO_DECIMAL_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace shardingdb::crypto_internal {

// The number that `text` is, if it is one of at most `max`: digits only, no
// sign, no space, no zero in front. So every number has one spelling.
[[nodiscard]] inline std::optional<uint64_t> DecodeDecimal(
    absl::string_view text, uint64_t max) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  uint64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const uint64_t digit = static_cast<uint64_t>(c - '0');
    if (number > max / 10 || digit > max - 10 * number) return std::nullopt;
    number = 10 * number + digit;
  }
  return number;
}

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_DECIMAL_H_
