// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// One key of XAES-256-GCM that chooses its own nonces and costs no key set-up.

#ifndef SHARDINGDB_CRYPTO_XAES_KEY_H_
#define SHARDINGDB_CRYPTO_XAES_KEY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/secret_bytes.h"
#include "crypto/writer_session.h"
#include "crypto/xaes_gcm.h"

namespace shardingdb::crypto_internal {

// XaesKey seals with nonces of its writer session, and starts another session
// when one ends and in a child process. It keeps the contexts of derived keys,
// ready to use, a few in each thread that seals or opens; they are wiped when
// they make room for others, when the thread ends, and, once the XaesKey is
// destroyed, at the thread's next seal or open under any key.
//
// What it is not: an Aead. Its users add what a reader has to know (crypto/
// envelope.h).
//
// Thread safety: const methods may be called by any number of threads at once.
// They take no lock.
class XaesKey {
 public:
  // What sealing adds: the nonce in front, the tag behind.
  static constexpr size_t kOverhead = kXaesNonceSize + kXaesTagSize;

  // kInvalidArgument unless `key` is kXaesKeySize long. Sessions of other than
  // the default length are for tests.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<XaesKey>> New(
      SecretBytes key, uint64_t seals_per_session = WriterSession::kMaxSeals);

  ~XaesKey();
  XaesKey(const XaesKey&) = delete;
  XaesKey& operator=(const XaesKey&) = delete;

  const SecretBytes& secret() const { return key_; }

  // Of plaintext, by all threads; each may be up to kUncountedBytes ahead of
  // it.
  uint64_t bytes_sealed() const {
    return bytes_sealed_.load(std::memory_order_relaxed);
  }
  static constexpr uint64_t kUncountedBytes = uint64_t{64} << 10;

  // Writes nonce, ciphertext and tag, plaintext.size() + kOverhead bytes, to
  // `sealed`, which overlaps none of the arguments.
  //
  // Errors, after each of which the bytes at `sealed` mean nothing:
  //   kInvalidArgument  the plaintext is longer than kAesGcmMaxPlaintextSize
  //   kUnavailable      the system gave no randomness for a session
  //   kInternal         the library failed
  [[nodiscard]] absl::Status Seal(absl::string_view associated_data,
                                  absl::string_view plaintext,
                                  char* sealed) const;

  // Writes the plaintext, sealed.size() - kOverhead bytes, to `plaintext`,
  // which overlaps none of the arguments.
  //
  // Errors, after each of which the bytes at `plaintext` have been wiped:
  //   kDataLoss  `sealed` is shorter than kOverhead or does not authenticate
  //   kInternal  the library failed
  [[nodiscard]] absl::Status Open(absl::string_view associated_data,
                                  absl::string_view sealed,
                                  char* plaintext) const;

 private:
  XaesKey(SecretBytes key, uint64_t seals_per_session);

  // The session to seal with, in `*session`. It stays valid until this object
  // ends.
  absl::Status CurrentSession(WriterSession** session) const;
  // Puts a new session in the place of `ended`, unless another thread has.
  absl::Status Replace(WriterSession* ended) const;

  // Sessions are never freed before the key, so that no thread needs a lock to
  // use one. There are few: one for each kMaxSeals seals and one for each fork.
  struct SessionNode;

  const SecretBytes key_;
  const uint64_t seals_per_session_;
  // Tells this key's contexts from those of all other keys, past ones included.
  const uint64_t number_;
  // Ends with this object, and so with its contexts in every thread.
  std::shared_ptr<const void> alive_;
  mutable std::atomic<SessionNode*> session_{nullptr};
  mutable std::atomic<uint64_t> bytes_sealed_{0};
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_XAES_KEY_H_
