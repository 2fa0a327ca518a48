// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A key ring that is kept on disk.

#ifndef SHARDINGDB_CRYPTO_KEY_RING_FILE_H_
#define SHARDINGDB_CRYPTO_KEY_RING_FILE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "crypto/kek.h"
#include "crypto/key_prf.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_text.h"
#include "crypto/replace_file.h"
#include "crypto/ring_key.h"

namespace shardingdb {

// What may be shown of a key that is on disk.
struct StoredKeyInfo {
  uint32_t id = 0;
  absl::Time created;
  KeyState state = KeyState::kEnabled;
  bool primary = false;
};

// When a key has sealed for long enough: by its age, or by the bytes of
// plaintext that this process has sealed with it since it opened the ring.
struct RotationPolicy {
  absl::Duration max_age = absl::InfiniteDuration();
  uint64_t max_bytes_sealed = UINT64_MAX;
};

// KeyRingFile is a file of wrapped data keys, and the KeyRing of them.
//
//   absl::StatusOr<std::unique_ptr<shardingdb::KekProvider>> kek =
//       shardingdb::RawKekFromFile("/etc/my-program/kek");
//   absl::StatusOr<std::unique_ptr<shardingdb::KeyRingFile>> file =
//       shardingdb::KeyRingFile::Open("/var/lib/my-program/KEYRING", **kek);
//   ... ShardingDbBuilder().WithEncryption((*file)->ring()) ...
//   ... (*file)->RotateDataKey() ...
//
// The bytes are those of docs/formats/keyring.md. The file never holds a key in
// clear, and is bound to one KEK, which is used while a call that takes it runs
// and not kept.
//
// A change is made on disk first and in the live ring only once it is on stable
// storage: nothing is ever sealed under a key that a power failure could take.
// After an error, or a kill at any point, the file is the former one or the new
// one, and whole; the live ring is as it was.
//
// The name of the file with .tmp after it belongs to the ring, too: each change
// removes what is there. So keep no KEK in it.
//
// Other processes may change the file too, one at a time. What they have
// changed comes into the live ring with the next change, or with Reload().
//
// Thread safety: all methods may be called by any number of threads at once.
//
// Errors, all with the path and none with a secret:
//   kNotFound            there is no such file, or no key with this id
//   kPermissionDenied    "wrong key": not the KEK of this ring (or its wrapping
//                        was changed by somebody who put the checksum right);
//                        or the file may not be read or changed
//   kFailedPrecondition  group or others may use the file (the message has the
//                        chmod to run); it is no regular file; it has been
//                        rewrapped, or another ring has been put in its place,
//                        since it was opened: open it again
//   kDataLoss            damaged or forged; the message has the line. Or a key
//                        that the file had is missing in it now, or one that
//                        was dropped is there again, as after an older file was
//                        put in its place
//   kUnimplemented       written by a newer version than this program
//   kAborted             another process is changing it; nothing was changed
//   kResourceExhausted   a full disk, a limit, or too many keys
//   kUnavailable         another I/O error, no randomness, or the KEK's
//   provider
//                        cannot be reached
//   others               what a KekProvider of one's own returns
class KeyRingFile {
 public:
  // Makes the file `path`, mode 0600, with one fresh random key, or with those
  // of `keys`.
  //
  // Errors: as above, and
  //   kAlreadyExists  there is something at `path`, which stays as it is
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<KeyRingFile>> Create(
      const std::string& path, const KekProvider& kek);
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<KeyRingFile>> Create(
      const std::string& path, const KekProvider& kek, const KeyRing& keys);

  // Reads and verifies all of the file.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<KeyRingFile>> Open(
      const std::string& path, const KekProvider& kek);

  KeyRingFile(const KeyRingFile&) = delete;
  KeyRingFile& operator=(const KeyRingFile&) = delete;

  // The live ring. It may outlive this object. It changes through this object
  // alone, hence const.
  std::shared_ptr<const KeyRing> ring() const { return ring_; }

  // What makes opaque keys for the databases of this ring: ShardingDbBuilder::
  // WithOpaqueKeys(). Its secret is made with the ring, stays the same through
  // rotations and rewraps, and is never null for a ring that Create() made.
  std::shared_ptr<const KeyPrf> key_prf() const { return key_prf_; }

  // Where the file is, without symbolic links.
  const std::string& path() const { return path_; }

  // The identity of the ring, which it keeps for good: 16 bytes as hexadecimal
  // digits, as in the file.
  std::string ring_id() const;

  // The keys as of the last call that read or changed the file, oldest first.
  std::vector<StoredKeyInfo> List() const;

  // Takes into the live ring what other processes have changed.
  [[nodiscard]] absl::Status Reload();

  // Adds a fresh random key, which becomes the primary, and returns its id.
  // What was sealed before opens as before.
  [[nodiscard]] absl::StatusOr<uint32_t> RotateDataKey();

  // Does so if the primary has come to an end of `policy`. True if it has, also
  // where another process was first and its key is the primary now.
  [[nodiscard]] absl::StatusOr<bool> RotateIfDue(const RotationPolicy& policy,
                                                 absl::Time now = absl::Now());

  // From now on the file opens with `new_kek` alone, which has to unwrap what
  // it wraps before anything is changed. The data keys stay the same, so
  // whoever has a copy of the former file and its KEK still has them. Should
  // the last step fail (the message says that the new file is there), either
  // KEK may be the right one after a power failure: keep both, and rewrap
  // again.
  [[nodiscard]] absl::Status Rewrap(const KekProvider& new_kek);

  // Makes the key `id` refuse to open, or open again.
  //
  // Errors: as above, and
  //   kFailedPrecondition  Disable() of the primary
  [[nodiscard]] absl::Status Disable(uint32_t id);
  [[nodiscard]] absl::Status Enable(uint32_t id);

  // Gives up the key `id` for good, if `check_unused` finds that nothing needs
  // it: ask ShardingDb::CheckKeyUnused() of every database under this ring. It
  // is called without a lock held, and its error, with path and id in front, is
  // returned. The line of the key stays, without the key, so that its id is not
  // used again. Who has a copy of the former file and the KEK still has the
  // key.
  //
  // Errors: as above (a key that is dropped already is not found), and
  //   kFailedPrecondition  Drop() of the primary
  [[nodiscard]] absl::Status Drop(
      uint32_t id, absl::FunctionRef<absl::Status()> check_unused);

  // For tests: what FileFault is.
  void SetFaultForTest(crypto_internal::FileFault fault);

 private:
  using KeyRingText = crypto_internal::KeyRingText;
  using RingKey = crypto_internal::RingKey;

  KeyRingFile(std::string path, KeyRingText text, RingKey ring_key,
              std::shared_ptr<KeyRing> ring,
              std::shared_ptr<const KeyPrf> key_prf);

  // Has `edit` change what the file holds, under the lock, then replaces the
  // file and brings the live ring up to it. `edit` may set a new ring key.
  using Edit =
      absl::FunctionRef<absl::Status(const RingKey& ring_key, KeyRingText* text,
                                     std::optional<RingKey>* new_key)>;
  absl::Status Change(Edit edit);
  absl::Status SetState(uint32_t id, KeyState state);
  // The new primary. With `former`, only if that one is the primary still;
  // else the one that is.
  absl::StatusOr<uint32_t> RotateUnlessDone(std::optional<uint32_t> former);

  // What the file holds now, verified to be a successor of what is known.
  absl::StatusOr<KeyRingText> ReadSuccessor()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckSuccessor(const KeyRingText& text)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Those of `text` that the live ring does not have, opened with `ring_key`.
  absl::StatusOr<std::vector<DataKey>> NewKeys(const KeyRingText& text,
                                               const RingKey& ring_key)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status BringLive(std::vector<DataKey> new_keys, KeyRingText text)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string path_;
  const std::shared_ptr<KeyRing> ring_;
  const std::shared_ptr<const KeyPrf> key_prf_;

  mutable absl::Mutex mutex_;
  // What the file held when it was last read or written.
  KeyRingText text_ ABSL_GUARDED_BY(mutex_);
  RingKey ring_key_ ABSL_GUARDED_BY(mutex_);
  crypto_internal::FileFault fault_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_KEY_RING_FILE_H_
