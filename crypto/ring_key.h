// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The key between a KEK and the data keys of a ring.

#ifndef SHARDINGDB_CRYPTO_RING_KEY_H_
#define SHARDINGDB_CRYPTO_RING_KEY_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/kek.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {

// RingKey wraps the data keys of one ring on disk and seals its text; the KEK
// wraps nothing but the ring key. So a KEK is asked no more often, however many
// keys there are, and is not needed to add one. A rewrap draws a new ring key.
//
// Thread safety: const methods may be called by many threads at once.
class RingKey {
 public:
  // A fresh one for the ring `ring_id` (kRingIdSize bytes). kUnavailable if the
  // system gives no randomness.
  [[nodiscard]] static absl::StatusOr<RingKey> Random(std::string ring_id);

  // The one that `kek` made `token` of.
  //
  // Errors:
  //   kPermissionDenied  "wrong key": `kek` says so, or what it unwraps is not
  //                      the key that `check` is of
  //   others             those of KekProvider
  [[nodiscard]] static absl::StatusOr<RingKey> Unwrap(std::string ring_id,
                                                      const KekProvider& kek,
                                                      absl::string_view token,
                                                      absl::string_view check);

  // The token for Unwrap(), of which it has been seen that `kek` unwraps it: a
  // service may allow its user to wrap only.
  //
  // Errors: those of KekProvider, and
  //   kInternal  `kek` gives what is no token, or unwraps another key
  [[nodiscard]] absl::StatusOr<std::string> WrapWith(
      const KekProvider& kek) const;

  // kRingCheckSize bytes that tell this key from any other and nothing else of
  // it: no two keys have the same.
  std::string CheckValue() const;

  // A data key, bound to its id and to the ring.
  //
  // Errors: those of WrapSecret() and UnwrapSecret()
  [[nodiscard]] absl::StatusOr<std::string> WrapDataKey(
      uint32_t id, const SecretBytes& key) const;
  [[nodiscard]] absl::StatusOr<SecretBytes> UnwrapDataKey(
      uint32_t id, absl::string_view wrapped) const;

  // The secret of opaque keys, bound to the ring. Errors: the same.
  [[nodiscard]] absl::StatusOr<std::string> WrapPrfSecret(
      const SecretBytes& secret) const;
  [[nodiscard]] absl::StatusOr<SecretBytes> UnwrapPrfSecret(
      absl::string_view wrapped) const;

  // kRingSealSize bytes that only who has this key can make for `text`, and
  // whether they are that (kDataLoss).
  [[nodiscard]] absl::StatusOr<std::string> Seal(absl::string_view text) const;
  [[nodiscard]] absl::Status VerifySeal(absl::string_view text,
                                        absl::string_view seal) const;

 private:
  RingKey(std::string ring_id, SecretBytes key);

  std::string ring_id_;
  SecretBytes key_;
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_RING_KEY_H_
