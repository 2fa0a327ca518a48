// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CRYPTO_KEY_PRF_H_
#define SHARDINGDB_CRYPTO_KEY_PRF_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/secret_bytes.h"

namespace shardingdb {

// Makes opaque keys: a user key becomes HMAC-SHA-256 (RFC 2104, FIPS 198-1) of
// it under a secret. Who has not the secret cannot tell that from 32 random
// bytes, but sees which keys are equal; with the secret everybody can look for
// a key, and nobody can compute back.
//
// And makes what binds a value to its opaque key: bytes that nobody without the
// secret can tell, whatever keys they choose and see on disk.
//
// The secret belongs to a database for good: under another one none of its
// entries is found, nor opens. KeyRingFile keeps one (KeyRingFile::key_prf).
//
// Thread safety: all methods may be called by any number of threads at once.
class KeyPrf {
 public:
  static constexpr size_t kSecretSize = 32;
  static constexpr size_t kOpaqueKeySize = 32;
  static constexpr size_t kBindingSize = 32;

  // Of a secret of kSecretSize uniformly random bytes. kInvalidArgument if it
  // has another size.
  [[nodiscard]] static absl::StatusOr<std::shared_ptr<const KeyPrf>> New(
      SecretBytes secret);

  // Of a fresh secret. Keep it, or nothing is ever found again. kUnavailable if
  // the system gives no randomness.
  [[nodiscard]] static absl::StatusOr<std::shared_ptr<const KeyPrf>> Generate();

  // kOpaqueKeySize bytes: HMAC of "sdb/opaque key:" and the user key.
  std::string Compute(absl::string_view user_key) const;

  // The associated data of the value under `opaque_key`, kBindingSize bytes:
  // HMAC of "sdb/opaque value:" and the opaque key. Never stored or shown.
  std::string Binding(absl::string_view opaque_key) const;

  const SecretBytes& secret() const { return secret_; }

 private:
  explicit KeyPrf(SecretBytes secret);

  std::string Hmac(absl::string_view domain, absl::string_view bytes) const;

  const SecretBytes secret_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_KEY_PRF_H_
