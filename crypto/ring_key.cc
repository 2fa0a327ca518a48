// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/ring_key.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "crypto/key_ring_text.h"
#include "crypto/sha256.h"
#include "crypto/wrap.h"

namespace shardingdb::crypto_internal {
namespace {

constexpr size_t kKeySize = 32;
static_assert(kWrappedKeySize == kKeySize + kWrapOverhead);
static_assert(kRingSealSize == kWrapOverhead);

// Domain strings: what is wrapped or sealed as one of these is never taken for
// another. Each differs from the others within its first 13 bytes, and what
// follows has a fixed length or is the last.
std::string ContextOfRingKey(absl::string_view ring_id) {
  return absl::StrCat("sdb/ring key:", absl::string_view(&kKeyRingVersion, 1),
                      ring_id);
}

std::string ContextOfDataKey(absl::string_view ring_id, uint32_t id) {
  char little_endian[4];
  for (int i = 0; i < 4; ++i) {
    little_endian[i] = static_cast<char>(id >> (8 * i));
  }
  return absl::StrCat("sdb/data key:", absl::string_view(&kKeyRingVersion, 1),
                      ring_id, absl::string_view(little_endian, 4));
}

std::string ContextOfPrfSecret(absl::string_view ring_id) {
  return absl::StrCat("sdb/prf secret:", absl::string_view(&kKeyRingVersion, 1),
                      ring_id);
}

std::string ContextOfText(absl::string_view text) {
  return absl::StrCat("sdb/key ring:", text);
}

bool IsToken(absl::string_view token) {
  return !token.empty() && token.size() <= KekProvider::kMaxTokenSize &&
         std::all_of(token.begin(), token.end(),
                     [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

RingKey::RingKey(std::string ring_id, SecretBytes key)
    : ring_id_(std::move(ring_id)), key_(std::move(key)) {}

absl::StatusOr<RingKey> RingKey::Random(std::string ring_id) {
  absl::StatusOr<SecretBytes> key = SecretBytes::Random(kKeySize);
  if (!key.ok()) return key.status();
  return RingKey(std::move(ring_id), *std::move(key));
}

absl::StatusOr<RingKey> RingKey::Unwrap(std::string ring_id,
                                        const KekProvider& kek,
                                        absl::string_view token,
                                        absl::string_view check) {
  absl::StatusOr<SecretBytes> key =
      kek.Unwrap(token, ContextOfRingKey(ring_id));
  if (!key.ok()) return key.status();
  if (key->size() == kKeySize) {
    RingKey ring_key(std::move(ring_id), *std::move(key));
    if (ring_key.CheckValue() == check) return ring_key;
  }
  return absl::PermissionDeniedError(
      "wrong key: it unwraps what is not the ring's");
}

absl::StatusOr<std::string> RingKey::WrapWith(const KekProvider& kek) const {
  const std::string context = ContextOfRingKey(ring_id_);
  absl::StatusOr<std::string> token = kek.Wrap(key_, context);
  if (!token.ok()) return token;
  if (!IsToken(*token)) {
    return absl::InternalError("a KEK provider returned what is not a token");
  }
  const absl::StatusOr<SecretBytes> back = kek.Unwrap(*token, context);
  if (!back.ok()) {
    return absl::Status(
        back.status().code(),
        absl::StrCat("the KEK wraps, but does not unwrap what it has wrapped: ",
                     back.status().message()));
  }
  if (*back != key_) {
    return absl::InternalError(
        "a KEK provider unwraps something else than it has wrapped");
  }
  return token;
}

std::string RingKey::CheckValue() const {
  Sha256 hash;
  hash.Update("sdb/ring check:");
  hash.Update(ring_id_);
  hash.Update(key_.reveal());
  const Sha256::Digest digest = hash.Finish();
  return std::string(digest.begin(), digest.end());
}

absl::StatusOr<std::string> RingKey::WrapDataKey(uint32_t id,
                                                 const SecretBytes& key) const {
  return WrapSecret(key_, ContextOfDataKey(ring_id_, id), key);
}

absl::StatusOr<SecretBytes> RingKey::UnwrapDataKey(
    uint32_t id, absl::string_view wrapped) const {
  return UnwrapSecret(key_, ContextOfDataKey(ring_id_, id), wrapped);
}

absl::StatusOr<std::string> RingKey::WrapPrfSecret(
    const SecretBytes& secret) const {
  return WrapSecret(key_, ContextOfPrfSecret(ring_id_), secret);
}

absl::StatusOr<SecretBytes> RingKey::UnwrapPrfSecret(
    absl::string_view wrapped) const {
  return UnwrapSecret(key_, ContextOfPrfSecret(ring_id_), wrapped);
}

absl::StatusOr<std::string> RingKey::Seal(absl::string_view text) const {
  return WrapSecret(key_, ContextOfText(text), SecretBytes());
}

absl::Status RingKey::VerifySeal(absl::string_view text,
                                 absl::string_view seal) const {
  return UnwrapSecret(key_, ContextOfText(text), seal).status();
}

}  // namespace shardingdb::crypto_internal
