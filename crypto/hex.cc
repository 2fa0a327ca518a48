// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/hex.h"

#include <cstddef>

namespace shardingdb::crypto_internal {
namespace {

// The value of a digit, or -1.
int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

char ToLower(char c) {
  return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Writes hex.size() / 2 bytes. False where a character is no digit.
bool Decode(absl::string_view hex, bool any_case, char* bytes) {
  for (size_t i = 0; i < hex.size() / 2; ++i) {
    const char first = hex[2 * i];
    const char second = hex[2 * i + 1];
    const int high = DigitOf(any_case ? ToLower(first) : first);
    const int low = DigitOf(any_case ? ToLower(second) : second);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<char>(high << 4 | low);
  }
  return true;
}

}  // namespace

std::string EncodeHex(absl::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

std::optional<std::string> DecodeHex(absl::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes(hex.size() / 2, '\0');
  if (!Decode(hex, /*any_case=*/false, &bytes[0])) return std::nullopt;
  return bytes;
}

std::optional<SecretBytes> DecodeSecretHex(absl::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  SecretBytes secret = SecretBytes::Zeros(hex.size() / 2);
  if (!Decode(hex, /*any_case=*/true, secret.mutable_data())) {
    return std::nullopt;
  }
  return secret;
}

}  // namespace shardingdb::crypto_internal
