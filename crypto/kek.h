// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The key-encryption key: what protects the keys of a ring where they are
// stored.

#ifndef SHARDINGDB_CRYPTO_KEK_H_
#define SHARDINGDB_CRYPTO_KEK_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/secret_bytes.h"

namespace shardingdb {

// A KekProvider wraps a small secret (32 bytes, a key) so that it can be stored
// in the open, and unwraps it again. Derive from it to keep the key-encryption
// key in a key management service or a hardware module; NewRawKek() and
// NewPassphraseKek() are the ones that need neither.
//
// What it is not: an Aead. A key ring on disk calls it a few times when it is
// created, opened or rewrapped, whatever the number of its keys, so a call may
// go over a network. What it wraps it must be able to unwrap, too: a ring is
// put under it only once that has been seen.
//
// What Wrap() returns is kept as text, on a line of its own. It is called a
// token: 1 to kMaxTokenSize printable ASCII characters, the first of them, up
// to a space, the provider's name. The name is format: it lets Unwrap() tell
// that a secret was wrapped by somebody else, which is kPermissionDenied.
//
// `context` is not secret and not stored in the token: unwrapping with another
// one fails. A service calls it encryption context or additional data.
//
// Thread safety: every method may be called from any number of threads at once.
class KekProvider {
 public:
  static constexpr size_t kMaxTokenSize = 16384;

  virtual ~KekProvider() = default;
  KekProvider(const KekProvider&) = delete;
  KekProvider& operator=(const KekProvider&) = delete;

  // The token of `secret`, bound to `context`.
  //
  // Errors:
  //   kUnavailable  what wraps, or randomness, cannot be had at present
  //   others        as fits; no message shows a secret
  [[nodiscard]] virtual absl::StatusOr<std::string> Wrap(
      const SecretBytes& secret, absl::string_view context) const = 0;

  // The secret that Wrap() made `token` of, with the same context.
  //
  // Errors:
  //   kPermissionDenied  this is the wrong key for the token. It need not be
  //                      told from a token that was changed
  //   kDataLoss          not a token that this provider can have made
  //   kUnavailable       what unwraps cannot be had at present
  //   others             as fits; no message shows a secret
  [[nodiscard]] virtual absl::StatusOr<SecretBytes> Unwrap(
      absl::string_view token, absl::string_view context) const = 0;

 protected:
  KekProvider() = default;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_KEK_H_
