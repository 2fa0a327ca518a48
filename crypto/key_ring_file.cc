// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_ring_file.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "crypto/file_lock.h"
#include "crypto/hex.h"
#include "crypto/posix_error.h"
#include "crypto/private_file.h"
#include "crypto/random.h"
#include "crypto/sealed_text.h"

namespace shardingdb {

using crypto_internal::KeyRingText;
using crypto_internal::OpenKey;
using crypto_internal::RingKey;
using crypto_internal::VerifySeal;

namespace {

absl::Status At(const std::string& path, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(path, ": ", status.message()));
}

absl::StatusOr<std::string> RealPath(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return crypto_internal::PosixError(path, errno);
  std::string result(real);
  ::free(real);
  return result;
}

int64_t Now() {
  return std::clamp<int64_t>(absl::ToUnixSeconds(absl::Now()), 0,
                             crypto_internal::kMaxCreated);
}

// What the file holds, by its checksum. From then on it is on stable storage,
// also if who wrote it was killed before it got so far.
absl::StatusOr<KeyRingText> ReadText(const std::string& path) {
  const absl::StatusOr<std::string> bytes = crypto_internal::ReadPrivateFile(
      path, crypto_internal::kMaxKeyRingTextSize);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<KeyRingText> text = crypto_internal::ParseKeyRingText(*bytes);
  if (!text.ok()) return At(path, text.status());
  const absl::Status synced = crypto_internal::SyncNameOf(path);
  if (!synced.ok()) return synced;
  return text;
}

// The line of the key `id`, if it can be given `state`.
absl::StatusOr<KeyRingText::Key*> FindToGive(uint32_t id, KeyState state,
                                             KeyRingText* text) {
  KeyRingText::Key* const key = crypto_internal::FindKey(id, text);
  if (key == nullptr || key->state == KeyState::kDropped) {
    return absl::NotFoundError(absl::StrCat(
        "key id ", id, key == nullptr ? " is not in the ring" : " is dropped"));
  }
  if (key->primary && state != KeyState::kEnabled) {
    return absl::FailedPreconditionError(
        absl::StrCat("key id ", id, " is the primary and cannot be ",
                     state == KeyState::kDropped ? "dropped" : "disabled"));
  }
  return key;
}

}  // namespace

KeyRingFile::KeyRingFile(std::string path, KeyRingText text, RingKey ring_key,
                         std::shared_ptr<KeyRing> ring,
                         std::shared_ptr<const KeyPrf> key_prf)
    : path_(std::move(path)),
      ring_(std::move(ring)),
      key_prf_(std::move(key_prf)),
      text_(std::move(text)),
      ring_key_(std::move(ring_key)) {}

absl::StatusOr<std::unique_ptr<KeyRingFile>> KeyRingFile::Create(
    const std::string& path, const KekProvider& kek) {
  const absl::StatusOr<std::shared_ptr<KeyRing>> ring = KeyRing::Generate();
  if (!ring.ok()) return At(path, ring.status());
  return Create(path, kek, **ring);
}

absl::StatusOr<std::unique_ptr<KeyRingFile>> KeyRingFile::Create(
    const std::string& path, const KekProvider& kek, const KeyRing& keys) {
  KeyRingText text;
  text.ring_id.resize(crypto_internal::kRingIdSize);
  absl::Status status =
      crypto_internal::RandomBytes(&text.ring_id[0], text.ring_id.size());
  if (!status.ok()) return At(path, status);
  const absl::StatusOr<RingKey> ring_key = RingKey::Random(text.ring_id);
  if (!ring_key.ok()) return At(path, ring_key.status());
  absl::StatusOr<std::string> token = ring_key->WrapWith(kek);
  if (!token.ok()) return At(path, token.status());
  text.kek = *std::move(token);
  text.check = ring_key->CheckValue();
  const uint32_t primary_id = keys.primary_id();
  for (const DataKey& key : keys.ExportKeys()) {
    status = crypto_internal::AppendKey(key, Now(), key.id == primary_id,
                                        *ring_key, &text);
    if (!status.ok()) return At(path, status);
  }
  const absl::StatusOr<std::shared_ptr<const KeyPrf>> prf = KeyPrf::Generate();
  if (!prf.ok()) return At(path, prf.status());
  absl::StatusOr<std::string> wrapped =
      ring_key->WrapPrfSecret((*prf)->secret());
  if (!wrapped.ok()) return At(path, wrapped.status());
  text.prf = *std::move(wrapped);
  const absl::StatusOr<std::string> encoded =
      crypto_internal::SealAndEncode(*ring_key, &text);
  if (!encoded.ok()) return At(path, encoded.status());
  status = crypto_internal::CreateFile(path, *encoded);
  if (!status.ok()) return status;
  return Open(path, kek);
}

absl::StatusOr<std::unique_ptr<KeyRingFile>> KeyRingFile::Open(
    const std::string& path, const KekProvider& kek) {
  absl::StatusOr<std::string> real_path = RealPath(path);
  if (!real_path.ok()) return real_path.status();
  absl::StatusOr<KeyRingText> text = ReadText(*real_path);
  if (!text.ok()) return text.status();
  absl::StatusOr<RingKey> ring_key =
      RingKey::Unwrap(text->ring_id, kek, text->kek, text->check);
  if (!ring_key.ok()) {
    return At(*real_path, absl::IsDataLoss(ring_key.status())
                              ? At("line 3", ring_key.status())
                              : ring_key.status());
  }
  const absl::Status status = VerifySeal(*text, *ring_key);
  if (!status.ok()) return At(*real_path, status);
  std::vector<DataKey> keys;
  uint32_t primary_id = 0;
  for (size_t i = 0; i < text->keys.size(); ++i) {
    if (text->keys[i].state == KeyState::kDropped) continue;
    absl::StatusOr<DataKey> key = OpenKey(*text, i, *ring_key);
    if (!key.ok()) return At(*real_path, key.status());
    if (text->keys[i].primary) primary_id = key->id;
    keys.push_back(*std::move(key));
  }
  absl::StatusOr<std::shared_ptr<KeyRing>> ring =
      KeyRing::FromKeys(std::move(keys), primary_id);
  if (!ring.ok()) {
    return absl::DataLossError(
        absl::StrCat(*real_path, ": ", ring.status().message()));
  }
  absl::StatusOr<std::shared_ptr<const KeyPrf>> key_prf =
      crypto_internal::OpenKeyPrf(*text, *ring_key);
  if (!key_prf.ok()) return At(*real_path, key_prf.status());
  return std::unique_ptr<KeyRingFile>(new KeyRingFile(
      *std::move(real_path), *std::move(text), *std::move(ring_key),
      *std::move(ring), *std::move(key_prf)));
}

std::string KeyRingFile::ring_id() const {
  absl::MutexLock lock(&mutex_);
  return crypto_internal::EncodeHex(text_.ring_id);
}

std::vector<StoredKeyInfo> KeyRingFile::List() const {
  absl::MutexLock lock(&mutex_);
  std::vector<StoredKeyInfo> infos;
  for (const KeyRingText::Key& key : text_.keys) {
    infos.push_back(
        {key.id, absl::FromUnixSeconds(key.created), key.state, key.primary});
  }
  return infos;
}

absl::StatusOr<KeyRingText> KeyRingFile::ReadSuccessor() {
  absl::StatusOr<KeyRingText> text = ReadText(path_);
  if (!text.ok()) return text.status();
  const absl::Status status = CheckSuccessor(*text);
  if (!status.ok()) return At(path_, status);
  return text;
}

absl::Status KeyRingFile::CheckSuccessor(const KeyRingText& text) {
  if (text.ring_id != text_.ring_id) {
    return absl::FailedPreconditionError(
        "is another ring than the one that was opened; open it again");
  }
  if (text.kek != text_.kek || text.check != text_.check) {
    return absl::FailedPreconditionError(
        "has been rewrapped since it was opened; open it again");
  }
  const absl::Status status = VerifySeal(text, ring_key_);
  if (!status.ok()) return status;
  // A dropped key keeps its line, so that this tells an older file.
  std::unordered_map<uint32_t, KeyState> states;
  for (const KeyRingText::Key& key : text.keys) states[key.id] = key.state;
  for (const KeyRingText::Key& key : text_.keys) {
    const auto found = states.find(key.id);
    if (found == states.end()) {
      return absl::DataLossError(
          absl::StrCat("key id ", key.id,
                       " is missing; was an older file put in its place?"));
    }
    if (key.state == KeyState::kDropped &&
        found->second != KeyState::kDropped) {
      return absl::DataLossError(
          absl::StrCat("key id ", key.id,
                       ", which was dropped, is there again; was an older file "
                       "put in its place?"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<DataKey>> KeyRingFile::NewKeys(
    const KeyRingText& text, const RingKey& ring_key) {
  std::unordered_set<uint32_t> known;
  for (const KeyRingText::Key& key : text_.keys) known.insert(key.id);
  std::vector<DataKey> keys;
  for (size_t i = 0; i < text.keys.size(); ++i) {
    if (known.count(text.keys[i].id) != 0 ||
        text.keys[i].state == KeyState::kDropped) {
      continue;
    }
    absl::StatusOr<DataKey> key = OpenKey(text, i, ring_key);
    if (!key.ok()) return key.status();
    keys.push_back(*std::move(key));
  }
  return keys;
}

absl::Status KeyRingFile::BringLive(std::vector<DataKey> new_keys,
                                    KeyRingText text) {
  for (DataKey& key : new_keys) {
    const absl::Status status = ring_->AddKey(std::move(key));
    if (!status.ok()) return status;
  }
  // In this order no step is refused: the primary is enabled when it becomes
  // the primary, and another one is when the former is disabled.
  for (const KeyRingText::Key& key : text.keys) {
    if (key.state != KeyState::kEnabled) continue;
    absl::Status status = ring_->Enable(key.id);
    if (status.ok() && key.primary) status = ring_->SetPrimary(key.id);
    if (!status.ok()) return status;
  }
  for (const KeyRingText::Key& key : text.keys) {
    if (key.state == KeyState::kEnabled) continue;
    const bool dropped = key.state == KeyState::kDropped;
    const absl::Status status =
        dropped ? ring_->Drop(key.id) : ring_->Disable(key.id);
    // What was dropped before the ring was opened never came into it.
    if (!status.ok() && !(dropped && absl::IsNotFound(status))) return status;
  }
  text_ = std::move(text);
  return absl::OkStatus();
}

absl::Status KeyRingFile::Change(Edit edit) {
  absl::MutexLock lock(&mutex_);
  const absl::StatusOr<std::unique_ptr<crypto_internal::FileLock>> file_lock =
      crypto_internal::FileLock::Take(path_);
  if (!file_lock.ok()) return file_lock.status();
  absl::StatusOr<KeyRingText> text = ReadSuccessor();
  if (!text.ok()) return text.status();
  std::optional<RingKey> new_key;
  absl::Status status = edit(ring_key_, &*text, &new_key);
  if (!status.ok()) return At(path_, status);
  const RingKey& ring_key = new_key.has_value() ? *new_key : ring_key_;
  const absl::StatusOr<std::string> encoded =
      crypto_internal::SealAndEncode(ring_key, &*text);
  if (!encoded.ok()) return At(path_, encoded.status());
  absl::StatusOr<std::vector<DataKey>> new_keys = NewKeys(*text, ring_key);
  if (!new_keys.ok()) return At(path_, new_keys.status());
  status = crypto_internal::ReplaceFile(path_, *encoded, fault_);
  if (!status.ok()) return status;
  if (new_key.has_value()) ring_key_ = *std::move(new_key);
  return At(path_, BringLive(*std::move(new_keys), *std::move(text)));
}

absl::Status KeyRingFile::Reload() {
  absl::MutexLock lock(&mutex_);
  absl::StatusOr<KeyRingText> text = ReadSuccessor();
  if (!text.ok()) return text.status();
  absl::StatusOr<std::vector<DataKey>> new_keys = NewKeys(*text, ring_key_);
  if (!new_keys.ok()) return At(path_, new_keys.status());
  return At(path_, BringLive(*std::move(new_keys), *std::move(text)));
}

absl::StatusOr<uint32_t> KeyRingFile::RotateDataKey() {
  return RotateUnlessDone(std::nullopt);
}

absl::StatusOr<uint32_t> KeyRingFile::RotateUnlessDone(
    std::optional<uint32_t> former) {
  uint32_t id = 0;
  bool done = false;
  const absl::Status status =
      Change([&](const RingKey& ring_key, KeyRingText* text,
                 std::optional<RingKey>*) -> absl::Status {
        if (former.has_value() &&
            crypto_internal::PrimaryOf(*text).id != *former) {
          done = true;
          return absl::AlreadyExistsError("rotated by another process");
        }
        absl::StatusOr<DataKey> key = crypto_internal::FreshKey(*text);
        if (!key.ok()) return key.status();
        id = key->id;
        for (KeyRingText::Key& line : text->keys) line.primary = false;
        return crypto_internal::AppendKey(*key, Now(), /*primary=*/true,
                                          ring_key, text);
      });
  if (done) {
    const absl::Status reloaded = Reload();
    if (!reloaded.ok()) return reloaded;
    return ring_->primary_id();
  }
  if (!status.ok()) return status;
  return id;
}

absl::StatusOr<bool> KeyRingFile::RotateIfDue(const RotationPolicy& policy,
                                              absl::Time now) {
  uint32_t id = 0;
  {
    absl::MutexLock lock(&mutex_);
    const KeyRingText::Key& primary = crypto_internal::PrimaryOf(text_);
    id = primary.id;
    if (now - absl::FromUnixSeconds(primary.created) < policy.max_age &&
        ring_->BytesSealed(id) < policy.max_bytes_sealed) {
      return false;
    }
  }
  const absl::StatusOr<uint32_t> rotated = RotateUnlessDone(id);
  if (!rotated.ok()) return rotated.status();
  return true;
}

absl::Status KeyRingFile::Rewrap(const KekProvider& new_kek) {
  return Change([&new_kek](const RingKey& ring_key, KeyRingText* text,
                           std::optional<RingKey>* new_key) -> absl::Status {
    absl::StatusOr<RingKey> fresh = RingKey::Random(text->ring_id);
    if (!fresh.ok()) return fresh.status();
    *new_key = *std::move(fresh);
    return crypto_internal::RewrapText(ring_key, **new_key, new_kek, text);
  });
}

absl::Status KeyRingFile::SetState(uint32_t id, KeyState state) {
  return Change([id, state](const RingKey&, KeyRingText* text,
                            std::optional<RingKey>*) {
    const absl::StatusOr<KeyRingText::Key*> key = FindToGive(id, state, text);
    if (!key.ok()) return key.status();
    (*key)->state = state;
    if (state == KeyState::kDropped) (*key)->wrapped.clear();
    return absl::OkStatus();
  });
}

absl::Status KeyRingFile::Drop(uint32_t id,
                               absl::FunctionRef<absl::Status()> check_unused) {
  {
    absl::MutexLock lock(&mutex_);
    const absl::StatusOr<KeyRingText::Key*> key =
        FindToGive(id, KeyState::kDropped, &text_);
    if (!key.ok()) return At(path_, key.status());
  }
  // Without the locks, as it may take long: what is not the primary now seals
  // nothing any more, and never will.
  const absl::Status unused = check_unused();
  if (!unused.ok()) {
    return absl::Status(unused.code(),
                        absl::StrCat(path_, ": key id ", id,
                                     " is not dropped: ", unused.message()));
  }
  return SetState(id, KeyState::kDropped);
}

absl::Status KeyRingFile::Disable(uint32_t id) {
  return SetState(id, KeyState::kDisabled);
}

absl::Status KeyRingFile::Enable(uint32_t id) {
  return SetState(id, KeyState::kEnabled);
}

void KeyRingFile::SetFaultForTest(crypto_internal::FileFault fault) {
  absl::MutexLock lock(&mutex_);
  fault_ = std::move(fault);
}

}  // namespace shardingdb
