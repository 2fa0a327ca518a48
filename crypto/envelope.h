// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The bytes of a sealed value, format version 1 (docs/formats/envelope.md).

#ifndef SHARDINGDB_CRYPTO_ENVELOPE_H_
#define SHARDINGDB_CRYPTO_ENVELOPE_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/compression.h"
#include "crypto/xaes_key.h"

namespace shardingdb::crypto_internal {

inline constexpr uint8_t kEnvelopeVersion = 1;

// Version, flags, key id; then what XaesKey adds.
inline constexpr size_t kEnvelopeHeaderSize = 6;
inline constexpr size_t kEnvelopeOverhead =
    kEnvelopeHeaderSize + XaesKey::kOverhead;
static_assert(kEnvelopeOverhead == 46);

// What a reader has to know before it opens.
struct EnvelopeHeader {
  uint32_t key_id = 0;
  Compression compression = Compression::kNone;  // of the plaintext
};

// The header of `envelope`, once it and the size have been found right. It is
// not authenticated before the envelope is opened.
//
// Errors (kDataLoss, told apart by their messages): too short, unknown version,
// not sealed, unknown flags, unknown compression.
[[nodiscard]] absl::StatusOr<EnvelopeHeader> ReadEnvelopeHeader(
    absl::string_view envelope);

// Writes the envelope of `plaintext`, plaintext.size() + kEnvelopeOverhead
// bytes, to `envelope`, which overlaps none of the arguments. header.key_id is
// what a reader will know `key` by; `user_key` is bound to the value.
//
// Errors are those of XaesKey::Seal().
[[nodiscard]] absl::Status SealEnvelope(const XaesKey& key,
                                        const EnvelopeHeader& header,
                                        absl::string_view user_key,
                                        absl::string_view plaintext,
                                        char* envelope);

// Writes the plaintext of `envelope`, envelope.size() - kEnvelopeOverhead
// bytes, to `plaintext`, which overlaps none of the arguments.
//
// Errors, after each of which the bytes at `plaintext` have been wiped:
//   kDataLoss  authentication failed
//   kInternal  the library failed
//
// REQUIRES: the key id of ReadEnvelopeHeader(envelope) is that of `key`
[[nodiscard]] absl::Status OpenEnvelope(const XaesKey& key,
                                        absl::string_view user_key,
                                        absl::string_view envelope,
                                        char* plaintext);

// SealEnvelope() with the nonce in the caller's hands, for golden bytes in
// tests. Nothing else may call it: a nonce used twice gives the key away.
[[nodiscard]] absl::Status SealEnvelopeWithNonceForTest(
    absl::string_view key, const EnvelopeHeader& header,
    absl::string_view nonce, absl::string_view user_key,
    absl::string_view plaintext, char* envelope);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_ENVELOPE_H_
