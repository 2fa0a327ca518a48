// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_ring.h"

#include <utility>

#include "absl/base/optimization.h"
#include "absl/strings/str_cat.h"
#include "crypto/aes_gcm.h"
#include "crypto/envelope.h"
#include "crypto/sha256.h"
#include "crypto/wipe.h"
#include "crypto/xaes_key.h"

namespace shardingdb {

using crypto_internal::XaesKey;

static_assert(KeyRing::kOverhead == crypto_internal::kEnvelopeOverhead);

absl::StatusOr<std::shared_ptr<KeyRing>> KeyRing::Generate() {
  absl::StatusOr<SecretBytes> key =
      SecretBytes::Random(crypto_internal::kXaesKeySize);
  if (!key.ok()) return key.status();
  return FromKeyBytes(*std::move(key));
}

absl::StatusOr<std::shared_ptr<KeyRing>> KeyRing::FromKeyBytes(
    SecretBytes key) {
  std::vector<DataKey> keys(1);
  const uint32_t id = DefaultKeyId(key);
  keys[0].id = id;
  keys[0].key = std::move(key);
  return FromKeys(std::move(keys), id);
}

absl::StatusOr<std::shared_ptr<KeyRing>> KeyRing::FromKeys(
    std::vector<DataKey> keys, uint32_t primary_id) {
  if (keys.empty()) return absl::InvalidArgumentError("key ring: no keys");
  std::shared_ptr<KeyRing> ring(new KeyRing);
  {
    absl::MutexLock lock(&ring->mutex_);
    for (DataKey& key : keys) {
      const absl::Status status = ring->Insert(std::move(key));
      if (!status.ok()) return absl::InvalidArgumentError(status.message());
    }
  }
  const absl::Status status = ring->SetPrimary(primary_id);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(status.message(), " and cannot be the primary"));
  }
  return ring;
}

uint32_t KeyRing::DefaultKeyId(const SecretBytes& key) {
  Sha256 hash;
  hash.Update("sdb/key id:");
  hash.Update(key.reveal());
  const Sha256::Digest digest = hash.Finish();
  uint32_t id = 0;
  for (int i = 0; i < 4; ++i) id |= uint32_t{digest[i]} << (8 * i);
  return id == 0 ? 1 : id;
}

absl::Status KeyRing::AddKey(DataKey key) {
  absl::MutexLock lock(&mutex_);
  return Insert(std::move(key));
}

absl::Status KeyRing::Insert(DataKey key) {
  if (key.id == 0) {
    return absl::InvalidArgumentError("key ring: key id 0 is not allowed");
  }
  if (key.state == KeyState::kDropped) {
    return absl::InvalidArgumentError(
        absl::StrCat("key ring: key id ", key.id, " is dropped"));
  }
  if (keys_.Find(key.id) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("key ring: key id ", key.id, " is there already"));
  }
  absl::StatusOr<std::unique_ptr<XaesKey>> made =
      XaesKey::New(std::move(key.key));
  if (!made.ok()) {
    return absl::Status(made.status().code(),
                        absl::StrCat("key ring: key id ", key.id, ": ",
                                     made.status().message()));
  }
  keys_.Insert(std::make_unique<Entry>(key.id, key.state == KeyState::kEnabled,
                                       *std::move(made)));
  return absl::OkStatus();
}

namespace {

absl::Status NotInRing(uint32_t id) {
  return absl::NotFoundError(
      absl::StrCat("key ring: key id ", id, " is not in the ring"));
}

absl::Status UnknownKey(uint32_t id) {
  return absl::DataLossError(absl::StrCat("sealed value: unknown key id ", id));
}

absl::Status IsDisabled(uint32_t id) {
  return absl::FailedPreconditionError(
      absl::StrCat("key ring: key id ", id, " is disabled"));
}

}  // namespace

absl::Status KeyRing::SetPrimary(uint32_t id) {
  absl::MutexLock lock(&mutex_);
  const Entry* entry = FindKept(id);
  if (entry == nullptr) return NotInRing(id);
  if (!entry->enabled.load(std::memory_order_relaxed)) return IsDisabled(id);
  primary_.store(entry, std::memory_order_release);
  return absl::OkStatus();
}

absl::Status KeyRing::Disable(uint32_t id) {
  absl::MutexLock lock(&mutex_);
  Entry* entry = FindKept(id);
  if (entry == nullptr) return NotInRing(id);
  if (entry == primary_.load(std::memory_order_relaxed)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "key ring: key id ", id, " is the primary and cannot be disabled"));
  }
  entry->enabled.store(false, std::memory_order_release);
  return absl::OkStatus();
}

absl::Status KeyRing::Enable(uint32_t id) {
  absl::MutexLock lock(&mutex_);
  Entry* entry = FindKept(id);
  if (entry == nullptr) return NotInRing(id);
  entry->enabled.store(true, std::memory_order_release);
  return absl::OkStatus();
}

absl::Status KeyRing::Drop(uint32_t id) {
  absl::MutexLock lock(&mutex_);
  Entry* entry = FindKept(id);
  if (entry == nullptr) return NotInRing(id);
  if (entry == primary_.load(std::memory_order_relaxed)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "key ring: key id ", id, " is the primary and cannot be dropped"));
  }
  entry->enabled.store(false, std::memory_order_release);
  entry->dropped.store(true, std::memory_order_release);
  return absl::OkStatus();
}

KeyRing::Entry* KeyRing::FindKept(uint32_t id) const {
  Entry* const entry = keys_.Find(id);
  return entry != nullptr && entry->dropped.load(std::memory_order_relaxed)
             ? nullptr
             : entry;
}

uint64_t KeyRing::BytesSealed(uint32_t id) const {
  const Entry* const entry = keys_.Find(id);
  return entry == nullptr ? 0 : entry->key->bytes_sealed();
}

uint32_t KeyRing::primary_id() const {
  return primary_.load(std::memory_order_acquire)->id;
}

KeyState KeyRing::StateOf(const Entry& entry) {
  if (entry.dropped.load(std::memory_order_relaxed)) return KeyState::kDropped;
  return entry.enabled.load(std::memory_order_relaxed) ? KeyState::kEnabled
                                                       : KeyState::kDisabled;
}

std::vector<KeyInfo> KeyRing::ListKeys() const {
  absl::MutexLock lock(&mutex_);
  const Entry* primary = primary_.load(std::memory_order_relaxed);
  std::vector<KeyInfo> infos;
  for (const auto& entry : keys_.entries()) {
    KeyInfo& info = infos.emplace_back();
    info.id = entry->id;
    info.state = StateOf(*entry);
    info.primary = entry.get() == primary;
  }
  return infos;
}

std::vector<DataKey> KeyRing::ExportKeys() const {
  absl::MutexLock lock(&mutex_);
  std::vector<DataKey> keys;
  for (const auto& entry : keys_.entries()) {
    const KeyState state = StateOf(*entry);
    if (state == KeyState::kDropped) continue;
    DataKey& key = keys.emplace_back();
    key.id = entry->id;
    key.key = entry->key->secret().Clone();
    key.state = state;
  }
  return keys;
}

absl::Status KeyRing::Seal(absl::string_view plaintext,
                           absl::string_view associated_data,
                           std::string* sealed) const {
  return SealAs(Compression::kNone, plaintext, associated_data, sealed);
}

absl::Status KeyRing::SealCompressed(Compression compression,
                                     absl::string_view plaintext,
                                     absl::string_view associated_data,
                                     std::string* sealed) const {
  std::string compressed;
  if (crypto_internal::CompressIfSmaller(compression, plaintext, &compressed)) {
    return SealAs(compression, compressed, associated_data, sealed);
  }
  return SealAs(Compression::kNone, plaintext, associated_data, sealed);
}

absl::Status KeyRing::SealAs(Compression compression,
                             absl::string_view plaintext,
                             absl::string_view associated_data,
                             std::string* sealed) const {
  if (ABSL_PREDICT_FALSE(plaintext.size() >
                         crypto_internal::kAesGcmMaxPlaintextSize)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "key ring: ", plaintext.size(), " bytes are too long to be sealed"));
  }
  const Entry& primary = *primary_.load(std::memory_order_acquire);
  const size_t before = sealed->size();
  sealed->resize(before + plaintext.size() + kOverhead);
  absl::Status status = crypto_internal::SealEnvelope(
      *primary.key, {primary.id, compression}, associated_data, plaintext,
      &(*sealed)[before]);
  if (ABSL_PREDICT_FALSE(!status.ok())) sealed->resize(before);
  return status;
}

absl::Status KeyRing::Open(absl::string_view sealed,
                           absl::string_view associated_data,
                           std::string* plaintext) const {
  absl::Status status = OpenInto(sealed, associated_data, plaintext);
  if (ABSL_PREDICT_FALSE(!status.ok())) plaintext->clear();
  return status;
}

uint32_t KeyRing::KeyIdOf(absl::string_view sealed) {
  const absl::StatusOr<crypto_internal::EnvelopeHeader> header =
      crypto_internal::ReadEnvelopeHeader(sealed);
  return header.ok() ? header->key_id : 0;
}

bool KeyRing::NeedsReseal(absl::string_view sealed) const {
  return KeyIdOf(sealed) != primary_id();
}

absl::Status KeyRing::OpenInto(absl::string_view sealed,
                               absl::string_view associated_data,
                               std::string* plaintext) const {
  const absl::StatusOr<crypto_internal::EnvelopeHeader> header =
      crypto_internal::ReadEnvelopeHeader(sealed);
  if (ABSL_PREDICT_FALSE(!header.ok())) return header.status();
  const Entry* entry = keys_.Find(header->key_id);
  if (ABSL_PREDICT_FALSE(entry == nullptr)) return UnknownKey(header->key_id);
  if (ABSL_PREDICT_FALSE(!entry->enabled.load(std::memory_order_acquire))) {
    return entry->dropped.load(std::memory_order_acquire)
               ? UnknownKey(header->key_id)
               : IsDisabled(header->key_id);
  }
  const bool is_compressed = header->compression != Compression::kNone;
  std::string compressed;
  std::string* const opened = is_compressed ? &compressed : plaintext;
  // A string that is used again is long enough mostly, and not filled with
  // zeros for nothing.
  opened->resize(sealed.size() - kOverhead);
  const absl::Status status = crypto_internal::OpenEnvelope(
      *entry->key, associated_data, sealed, &(*opened)[0]);
  if (!is_compressed || !status.ok()) return status;
  return crypto_internal::Decompress(header->compression, compressed,
                                     plaintext);
}

}  // namespace shardingdb
