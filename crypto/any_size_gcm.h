// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// AES-GCM with keys, nonces and tags of all sizes that the specification has.

#ifndef SHARDINGDB_CRYPTO_ANY_SIZE_GCM_H_
#define SHARDINGDB_CRYPTO_ANY_SIZE_GCM_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shardingdb::crypto_internal {

// The library's GCM on which aes_gcm.h stands, for test vectors of sizes that
// nothing here seals with: NIST SP 800-38D, keys of 16, 24 or 32 bytes, nonces
// of 1 byte or more, tags of 4, 8 or 12 to 16 bytes. For tests only: neither
// fast nor careful with secrets.
//
// Crypto++ makes the first block of its counter by hashing the nonce, unless
// that has 12 bytes. Where the hash ends with ff ff ff ff, it carries into the
// rest of the block, which the specification does not (8.7 and 8.9; one nonce
// of 2^32, and none of 12 bytes). Such a nonce gets a counter of our own.
//
// Thread safety: const methods may be called by several threads at once.
class AnySizeGcm {
 public:
  // Errors:
  //   kInvalidArgument  a size that the specification does not have
  //   kInternal         the library failed
  [[nodiscard]] static absl::StatusOr<AnySizeGcm> New(absl::string_view key,
                                                      absl::string_view nonce,
                                                      size_t tag_size);

  // Whether the library would count wrongly.
  bool has_own_counter() const { return has_own_counter_; }

  // As if it would.
  void UseOwnCounterForTest() { has_own_counter_ = true; }

  // Ciphertext and tag. kInternal where the library failed.
  [[nodiscard]] absl::StatusOr<std::string> Seal(
      absl::string_view associated_data, absl::string_view plaintext) const;

  // The plaintext.
  //
  // Errors:
  //   kDataLoss  `sealed` is shorter than a tag or does not authenticate
  //   kInternal  the library failed
  [[nodiscard]] absl::StatusOr<std::string> Open(
      absl::string_view associated_data, absl::string_view sealed) const;

 private:
  AnySizeGcm(absl::string_view key, absl::string_view nonce, size_t tag_size)
      : key_(key), nonce_(nonce), tag_size_(tag_size) {}

  // The following throw what the library throws.

  // GCM's hash of both, without what encrypts it.
  std::string Hash(absl::string_view associated_data,
                   absl::string_view ciphertext) const;
  std::string EncryptBlock(const std::string& block) const;
  std::string FirstBlock() const;
  // `text` encrypted or decrypted, and the whole tag, with a counter of our
  // own.
  std::string Count(absl::string_view text) const;
  std::string Tag(absl::string_view associated_data,
                  absl::string_view ciphertext) const;

  std::string key_;
  std::string nonce_;
  size_t tag_size_;
  bool has_own_counter_ = false;
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_ANY_SIZE_GCM_H_
