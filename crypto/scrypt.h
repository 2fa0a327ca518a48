// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// scrypt (RFC 7914): a key from a passphrase, at a cost that guessing has to
// pay too.

#ifndef SHARDINGDB_CRYPTO_SCRYPT_H_
#define SHARDINGDB_CRYPTO_SCRYPT_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/secret_bytes.h"

namespace shardingdb {

// What one derivation costs: 128 * n * r bytes of memory, and time that grows
// with n * r * p. The default takes 64 MiB and about 0.3 seconds.
struct ScryptParameters {
  uint64_t n = 1 << 16;  // a power of two, at least 2
  uint64_t r = 8;
  uint64_t p = 1;
};

namespace crypto_internal {

// What parameters may ask for, wherever they come from: a forged file costs
// whoever opens it no more than this.
inline constexpr uint64_t kScryptMaxMemory = uint64_t{512} << 20;
// Sixteen times the default.
inline constexpr uint64_t kScryptMaxWork = uint64_t{1} << 23;  // n * r * p

// kInvalidArgument where parameters make no sense or ask for too much.
[[nodiscard]] absl::Status CheckScryptParameters(const ScryptParameters& what);

// `size` bytes derived from `passphrase` and `salt`.
//
// Errors:
//   kInvalidArgument    as CheckScryptParameters()
//   kResourceExhausted  there is not as much memory
//   kInternal           the library failed
[[nodiscard]] absl::StatusOr<SecretBytes> Scrypt(
    const SecretBytes& passphrase, absl::string_view salt,
    const ScryptParameters& parameters, size_t size);

}  // namespace crypto_internal
}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_SCRYPT_H_
