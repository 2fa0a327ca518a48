// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// AES-256-GCM (NIST SP 800-38D) with the nonce in the caller's hands.

#ifndef SHARDINGDB_CRYPTO_AES_GCM_H_
#define SHARDINGDB_CRYPTO_AES_GCM_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shardingdb::crypto_internal {

inline constexpr size_t kAesGcmKeySize = 32;
inline constexpr size_t kAesGcmNonceSize = 12;
inline constexpr size_t kAesGcmTagSize = 16;
// 2^39 - 256 bits, by the specification.
inline constexpr uint64_t kAesGcmMaxPlaintextSize = (uint64_t{1} << 36) - 32;

// A key made ready to seal: the key schedule and the tables of the hash are
// computed once, and wiped when the object ends.
//
// A building block, not an Aead: sealing twice under one key and one nonce
// gives away both plaintexts' difference and the authentication key.
//
// Thread safety: none; one thread at a time may use an object.
class AesGcmSealer {
 public:
  // kInvalidArgument unless `key` is kAesGcmKeySize long.
  [[nodiscard]] static absl::StatusOr<AesGcmSealer> New(absl::string_view key);

  AesGcmSealer(AesGcmSealer&&) noexcept;
  AesGcmSealer& operator=(AesGcmSealer&&) noexcept;
  ~AesGcmSealer();

  // Writes ciphertext and tag, plaintext.size() + kAesGcmTagSize bytes, to
  // `sealed`, which overlaps none of the arguments.
  //
  // Errors, after each of which the bytes at `sealed` mean nothing:
  //   kInvalidArgument  the nonce is not kAesGcmNonceSize long, or the
  //                     plaintext longer than kAesGcmMaxPlaintextSize
  //   kInternal         the library failed
  [[nodiscard]] absl::Status Seal(absl::string_view nonce,
                                  absl::string_view associated_data,
                                  absl::string_view plaintext, char* sealed);

 private:
  struct Cipher;
  explicit AesGcmSealer(std::unique_ptr<Cipher> cipher);
  std::unique_ptr<Cipher> cipher_;
};

// A key made ready to open; otherwise as AesGcmSealer.
class AesGcmOpener {
 public:
  // kInvalidArgument unless `key` is kAesGcmKeySize long.
  [[nodiscard]] static absl::StatusOr<AesGcmOpener> New(absl::string_view key);

  AesGcmOpener(AesGcmOpener&&) noexcept;
  AesGcmOpener& operator=(AesGcmOpener&&) noexcept;
  ~AesGcmOpener();

  // Writes the plaintext, sealed.size() - kAesGcmTagSize bytes, to `plaintext`,
  // which overlaps none of the arguments.
  //
  // Errors, after each of which the bytes at `plaintext` have been wiped:
  //   kInvalidArgument  the nonce is not kAesGcmNonceSize long
  //   kDataLoss         `sealed` is shorter than a tag, longer than any sealed
  //                     plaintext, or does not authenticate
  //   kInternal         the library failed
  [[nodiscard]] absl::Status Open(absl::string_view nonce,
                                  absl::string_view associated_data,
                                  absl::string_view sealed, char* plaintext);

 private:
  struct Cipher;
  explicit AesGcmOpener(std::unique_ptr<Cipher> cipher);
  std::unique_ptr<Cipher> cipher_;
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_AES_GCM_H_
