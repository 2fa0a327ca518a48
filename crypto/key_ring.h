// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The keys that values are sealed with: one to seal, older ones to open.

#ifndef SHARDINGDB_CRYPTO_KEY_RING_H_
#define SHARDINGDB_CRYPTO_KEY_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "crypto/aead.h"
#include "crypto/compression.h"
#include "crypto/key_table.h"
#include "crypto/secret_bytes.h"

namespace shardingdb {

enum class KeyState {
  kEnabled,   // opens; seals when it is the primary
  kDisabled,  // kept, but refuses to open
  kDropped,   // given up for good; its id is not used again
};

// A data key: 32 uniformly random bytes (no passphrase), and the number by
// which sealed values name it. The number is no secret; 0 is not allowed.
struct DataKey {
  uint32_t id = 0;
  SecretBytes key;
  KeyState state = KeyState::kEnabled;
};

// What may be shown of a key.
struct KeyInfo {
  uint32_t id = 0;
  KeyState state = KeyState::kEnabled;
  bool primary = false;
};

// KeyRing is an Aead: Seal() uses the primary key, Open() the key that the
// sealed bytes name. The algorithm is XAES-256-GCM, the bytes are those of
// docs/formats/envelope.md: 46 more than the plaintext.
//
//   absl::StatusOr<std::shared_ptr<shardingdb::KeyRing>> key_ring =
//       shardingdb::KeyRing::FromKeyBytes(std::move(my_32_bytes));
//   ... ShardingDbBuilder().WithEncryption(*key_ring) ...
//
// What it is not: it stores nothing. What was sealed under a key that nobody
// kept is lost.
//
// Thread safety: all methods may be called by any number of threads at once,
// also on either side of a fork(). Seal() and Open() take no lock and set up no
// key but at a thread's first use of it. A change (AddKey() and the like) is
// seen by every call that begins after it returned.
//
// Errors of Seal() and Open() are those of Aead. Open() says of kDataLoss:
// "too short", "unknown version", "not sealed", "unknown flags",
// "unknown compression", "unknown key id", "authentication failed" or (of bytes
// that no KeyRing has sealed) "does not decompress".
class KeyRing final : public Aead {
 public:
  // How much longer a sealed value is than its plaintext.
  static constexpr size_t kOverhead = 46;

  // A ring of one fresh random key. Keep what ExportKeys() gives, or nothing
  // that it seals can be opened later.
  //
  // Errors:
  //   kUnavailable  the system gave no randomness
  [[nodiscard]] static absl::StatusOr<std::shared_ptr<KeyRing>> Generate();

  // A ring of one key that the caller keeps; its id is DefaultKeyId(key). The
  // same bytes open, in any process, what was sealed before.
  //
  // Errors:
  //   kInvalidArgument  not 32 bytes
  [[nodiscard]] static absl::StatusOr<std::shared_ptr<KeyRing>> FromKeyBytes(
      SecretBytes key);

  // A ring of the given keys.
  //
  // Errors:
  //   kInvalidArgument  no keys; an id that is 0 or occurs twice; a key that is
  //                     not 32 bytes, or dropped; a primary that is not among
  //                     them or disabled. The message names the id
  [[nodiscard]] static absl::StatusOr<std::shared_ptr<KeyRing>> FromKeys(
      std::vector<DataKey> keys, uint32_t primary_id);

  // An id made from the key itself, so that the same key has the same id
  // wherever it is used, and a wrong key is noticed as an unknown one. Never 0.
  static uint32_t DefaultKeyId(const SecretBytes& key);

  // Adds a key for opening. SetPrimary() makes it the one that seals.
  //
  // Errors:
  //   kInvalidArgument  the id is 0, the key not 32 bytes, or dropped
  //   kAlreadyExists    the ring has, or has dropped, a key with this id
  [[nodiscard]] absl::Status AddKey(DataKey key);

  // Seals with the key `id` from now on. The former primary opens as before.
  //
  // Errors:
  //   kNotFound            no such key
  //   kFailedPrecondition  the key is disabled
  [[nodiscard]] absl::Status SetPrimary(uint32_t id);

  // Makes the key `id` refuse to open, or open again. Values that it sealed
  // stay as they are.
  //
  // Errors:
  //   kNotFound            no such key
  //   kFailedPrecondition  Disable() of the primary
  [[nodiscard]] absl::Status Disable(uint32_t id);
  [[nodiscard]] absl::Status Enable(uint32_t id);

  uint32_t primary_id() const;

  // Gives up the key `id`: what it sealed is lost to this ring, "unknown key
  // id". Make sure first that nothing needs it: ShardingDb::CheckKeyUnused().
  // The secret is wiped when the ring ends, as calls of other threads may be
  // using it now.
  //
  // Errors:
  //   kNotFound            no such key
  //   kFailedPrecondition  the key is the primary
  [[nodiscard]] absl::Status Drop(uint32_t id);

  // How many bytes of plaintext the key `id` has sealed since it came into this
  // ring. What threads have sealed last (some kilobytes each) may be missing. 0
  // for a key that is not in the ring.
  uint64_t BytesSealed(uint32_t id) const;

  // All keys, in the order in which they were added.
  std::vector<KeyInfo> ListKeys() const;

  // Those that are not dropped, with copies of the secrets, for storing them
  // somewhere safe.
  std::vector<DataKey> ExportKeys() const;

  [[nodiscard]] absl::Status Seal(absl::string_view plaintext,
                                  absl::string_view associated_data,
                                  std::string* sealed) const override;
  [[nodiscard]] absl::Status Open(absl::string_view sealed,
                                  absl::string_view associated_data,
                                  std::string* plaintext) const override;
  bool NeedsReseal(absl::string_view sealed) const override;

  // The id of the key that `sealed` says it was sealed with; 0 if it is nothing
  // that a KeyRing has sealed. Not authenticated.
  static uint32_t KeyIdOf(absl::string_view sealed);

  // As Seal(), with the plaintext compressed before if it has 128 bytes or more
  // and that saves an eighth of them. Open() decompresses by itself, whatever
  // values are sealed with now. The length of what is sealed then tells how
  // well the plaintext compresses: see CompressingAead.
  [[nodiscard]] absl::Status SealCompressed(Compression compression,
                                            absl::string_view plaintext,
                                            absl::string_view associated_data,
                                            std::string* sealed) const;

 private:
  using Entry = crypto_internal::KeyTable::Entry;

  KeyRing() = default;
  // Seals `plaintext`, which is compressed in this way already.
  absl::Status SealAs(Compression compression, absl::string_view plaintext,
                      absl::string_view associated_data,
                      std::string* sealed) const;
  // Open(), but for emptying `*plaintext` after an error.
  absl::Status OpenInto(absl::string_view sealed,
                        absl::string_view associated_data,
                        std::string* plaintext) const;
  absl::Status Insert(DataKey key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Null for one that is dropped.
  Entry* FindKept(uint32_t id) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static KeyState StateOf(const Entry& entry);

  // Held by changes and by nothing that seals or opens.
  mutable absl::Mutex mutex_;
  // Find() alone needs no lock.
  crypto_internal::KeyTable keys_;
  // Written under mutex_. Never null once a factory has returned the ring, and
  // never disabled.
  std::atomic<const Entry*> primary_{nullptr};
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_KEY_RING_H_
