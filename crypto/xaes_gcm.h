// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// XAES-256-GCM (https://c2sp.org/XAES-256-GCM) with the nonce in the caller's
// hands: AES-256-GCM whose key is derived from the first half of a longer
// nonce.

#ifndef SHARDINGDB_CRYPTO_XAES_GCM_H_
#define SHARDINGDB_CRYPTO_XAES_GCM_H_

#include <array>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/aes_gcm.h"

namespace shardingdb::crypto_internal {

inline constexpr size_t kXaesKeySize = 32;
inline constexpr size_t kXaesNonceSize = 24;
inline constexpr size_t kXaesTagSize = kAesGcmTagSize;

// The first half of a nonce chooses the derived key, the second half is the
// nonce of AES-256-GCM under it. Whoever keeps the derived key pays for AES-GCM
// only.
inline constexpr size_t kXaesPrefixSize = 12;
using XaesPrefix = std::array<char, kXaesPrefixSize>;

// A key of AES-256-GCM, derived from `key` and the first half of a nonce, ready
// to seal or to open.
//
// Errors:
//   kInvalidArgument  `key` is not kXaesKeySize long
//   kInternal         the library failed
[[nodiscard]] absl::StatusOr<AesGcmSealer> DeriveXaesSealer(
    absl::string_view key, const XaesPrefix& prefix);
[[nodiscard]] absl::StatusOr<AesGcmOpener> DeriveXaesOpener(
    absl::string_view key, const XaesPrefix& prefix);

// All of XAES-256-GCM in one call, deriving the key anew. Sizes, errors and
// what they leave behind are those of AesGcmSealer::Seal() and
// AesGcmOpener::Open(), with a nonce of kXaesNonceSize.
[[nodiscard]] absl::Status XaesSeal(absl::string_view key,
                                    absl::string_view nonce,
                                    absl::string_view associated_data,
                                    absl::string_view plaintext, char* sealed);
[[nodiscard]] absl::Status XaesOpen(absl::string_view key,
                                    absl::string_view nonce,
                                    absl::string_view associated_data,
                                    absl::string_view sealed, char* plaintext);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_XAES_GCM_H_
