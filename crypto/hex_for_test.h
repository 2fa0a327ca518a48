// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Bytes written as hexadecimal digits, for test vectors.

#ifndef SHARDINGDB_CRYPTO_HEX_FOR_TEST_H_
#define SHARDINGDB_CRYPTO_HEX_FOR_TEST_H_

#include <cstdlib>
#include <string>

#include "absl/strings/string_view.h"

namespace shardingdb::crypto_internal {

// REQUIRES: an even number of hexadecimal digits and nothing else
inline std::string FromHex(absl::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    const char digits[] = {hex[i], hex[i + 1], '\0'};
    bytes.push_back(static_cast<char>(std::strtol(digits, nullptr, 16)));
  }
  return bytes;
}

inline std::string ToHex(absl::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_HEX_FOR_TEST_H_
