// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/sealed_text.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {

absl::StatusOr<DataKey> FreshKey(const KeyRingText& text) {
  constexpr size_t kKeySize = 32;
  for (;;) {
    absl::StatusOr<SecretBytes> secret = SecretBytes::Random(kKeySize);
    if (!secret.ok()) return secret.status();
    DataKey key;
    key.id = KeyRing::DefaultKeyId(*secret);
    if (std::any_of(text.keys.begin(), text.keys.end(),
                    [&key](const KeyRingText::Key& other) {
                      return other.id == key.id;
                    })) {
      continue;
    }
    key.key = *std::move(secret);
    return key;
  }
}

absl::Status AppendKey(const DataKey& key, int64_t created, bool primary,
                       const RingKey& ring_key, KeyRingText* text) {
  absl::StatusOr<std::string> wrapped = ring_key.WrapDataKey(key.id, key.key);
  if (!wrapped.ok()) return wrapped.status();
  KeyRingText::Key& line = text->keys.emplace_back();
  line.id = key.id;
  line.created = created;
  line.state = primary ? KeyState::kEnabled : key.state;
  line.primary = primary;
  line.wrapped = *std::move(wrapped);
  return absl::OkStatus();
}

absl::StatusOr<DataKey> OpenKey(const KeyRingText& text, size_t index,
                                const RingKey& ring_key) {
  const KeyRingText::Key& line = text.keys[index];
  absl::StatusOr<SecretBytes> secret =
      ring_key.UnwrapDataKey(line.id, line.wrapped);
  if (!secret.ok()) {
    return absl::Status(secret.status().code(),
                        absl::StrCat("line ", LineOfKey(index), ": key id ",
                                     line.id, " does not unwrap"));
  }
  DataKey key;
  key.id = line.id;
  key.key = *std::move(secret);
  key.state = line.state;
  return key;
}

absl::StatusOr<std::shared_ptr<const KeyPrf>> OpenKeyPrf(
    const KeyRingText& text, const RingKey& ring_key) {
  if (text.prf.empty()) return std::shared_ptr<const KeyPrf>();
  absl::StatusOr<SecretBytes> secret = ring_key.UnwrapPrfSecret(text.prf);
  if (secret.ok()) return KeyPrf::New(*std::move(secret));
  return absl::Status(secret.status().code(),
                      absl::StrCat("line ", LineOfPrf(text),
                                   ": the secret of opaque keys does not "
                                   "unwrap"));
}

absl::Status RewrapText(const RingKey& former, const RingKey& fresh,
                        const KekProvider& kek, KeyRingText* text) {
  absl::StatusOr<std::string> token = fresh.WrapWith(kek);
  if (!token.ok()) return token.status();
  for (size_t i = 0; i < text->keys.size(); ++i) {
    if (text->keys[i].state == KeyState::kDropped) continue;
    const absl::StatusOr<DataKey> key = OpenKey(*text, i, former);
    if (!key.ok()) return key.status();
    absl::StatusOr<std::string> wrapped = fresh.WrapDataKey(key->id, key->key);
    if (!wrapped.ok()) return wrapped.status();
    text->keys[i].wrapped = *std::move(wrapped);
  }
  const auto key_prf = OpenKeyPrf(*text, former);
  if (!key_prf.ok()) return key_prf.status();
  if (*key_prf != nullptr) {
    absl::StatusOr<std::string> wrapped =
        fresh.WrapPrfSecret((*key_prf)->secret());
    if (!wrapped.ok()) return wrapped.status();
    text->prf = *std::move(wrapped);
  }
  text->kek = *std::move(token);
  text->check = fresh.CheckValue();
  return absl::OkStatus();
}

absl::StatusOr<std::string> SealAndEncode(const RingKey& ring_key,
                                          KeyRingText* text) {
  absl::StatusOr<std::string> seal = ring_key.Seal(EncodeUnsealed(*text));
  if (!seal.ok()) return seal.status();
  text->seal = *std::move(seal);
  std::string encoded = EncodeKeyRingText(*text);
  if (encoded.size() > kMaxKeyRingTextSize) {
    return absl::ResourceExhaustedError(
        absl::StrCat("too many keys: ", text->keys.size()));
  }
  return encoded;
}

absl::Status VerifySeal(const KeyRingText& text, const RingKey& ring_key) {
  const absl::Status status =
      ring_key.VerifySeal(EncodeUnsealed(text), text.seal);
  if (!absl::IsDataLoss(status)) return status;
  return absl::DataLossError(
      absl::StrCat("line ", LineOfSeal(text),
                   ": the seal is broken: changed by somebody who has not the "
                   "key"));
}

}  // namespace shardingdb::crypto_internal
