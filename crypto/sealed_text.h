// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What a ring key does for the text of a key ring file.

#ifndef SHARDINGDB_CRYPTO_SEALED_TEXT_H_
#define SHARDINGDB_CRYPTO_SEALED_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/key_prf.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_text.h"
#include "crypto/ring_key.h"

namespace shardingdb::crypto_internal {

// A random key with an id that no other of the text has.
//
// Errors: those of SecretBytes::Random()
[[nodiscard]] absl::StatusOr<DataKey> FreshKey(const KeyRingText& text);

// Appends a line for `key`, wrapped.
//
// Errors: those of RingKey::WrapDataKey()
[[nodiscard]] absl::Status AppendKey(const DataKey& key, int64_t created,
                                     bool primary, const RingKey& ring_key,
                                     KeyRingText* text);

// The key of text.keys[index]. kDataLoss, with the line, if it does not unwrap.
[[nodiscard]] absl::StatusOr<DataKey> OpenKey(const KeyRingText& text,
                                              size_t index,
                                              const RingKey& ring_key);

// What makes opaque keys with the secret that text.prf wraps; null if there is
// none. kDataLoss, with the line, if it does not unwrap.
[[nodiscard]] absl::StatusOr<std::shared_ptr<const KeyPrf>> OpenKeyPrf(
    const KeyRingText& text, const RingKey& ring_key);

// Puts ring key and keys under `fresh` and `kek` instead of `former`. After an
// error `*text` means nothing.
//
// Errors: those of OpenKey(), RingKey::WrapWith() and RingKey::WrapDataKey()
[[nodiscard]] absl::Status RewrapText(const RingKey& former,
                                      const RingKey& fresh,
                                      const KekProvider& kek,
                                      KeyRingText* text);

// Puts the seal on `*text` and returns what the file has to hold.
// kResourceExhausted where that is more than a reader takes.
[[nodiscard]] absl::StatusOr<std::string> SealAndEncode(const RingKey& ring_key,
                                                        KeyRingText* text);

// kDataLoss, with the line, if somebody else made or changed `text`.
[[nodiscard]] absl::Status VerifySeal(const KeyRingText& text,
                                      const RingKey& ring_key);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_SEALED_TEXT_H_
