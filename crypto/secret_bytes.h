// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A key, or another secret, as bytes that do not leak by accident.

#ifndef SHARDINGDB_CRYPTO_SECRET_BYTES_H_
#define SHARDINGDB_CRYPTO_SECRET_BYTES_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shardingdb {

// SecretBytes owns a fixed number of secret bytes. They are wiped when it is
// destroyed, assigned over or moved from; they stand in memory that is locked
// against swapping and left out of core dumps, where the system allows it
// (where it does not, this is no error); they are compared in constant time;
// and there is no way to print them: no operator<<, no conversion to a string,
// no formatting. Only reveal() shows them, so a reader of the code sees where.
//
// Copies are made by Clone() alone. Moved-from objects are empty.
//
// Thread safety: const methods may be called by many threads at once; anything
// else needs the object to oneself.
class SecretBytes {
 public:
  // No bytes.
  SecretBytes() = default;

  // A copy of `bytes`. Whoever holds the original still has to wipe it.
  explicit SecretBytes(absl::string_view bytes);

  ~SecretBytes() { Clear(); }
  SecretBytes(SecretBytes&& other) noexcept;
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;

  // `size` bytes from the system's random generator. An error (kUnavailable) if
  // the system gives none.
  [[nodiscard]] static absl::StatusOr<SecretBytes> Random(size_t size);

  // `size` zero bytes, to be filled through mutable_data().
  [[nodiscard]] static SecretBytes Zeros(size_t size);

  [[nodiscard]] SecretBytes Clone() const { return SecretBytes(reveal()); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // The secret itself, valid until this object changes or ends. Do not copy it
  // into a std::string.
  absl::string_view reveal() const { return {data_, size_}; }

  // The same, to be written to. Null when empty.
  char* mutable_data() { return data_; }

  // Wipes the bytes and becomes empty.
  void Clear();

  // Takes the same time wherever the first difference is. Sizes are no secret.
  friend bool operator==(const SecretBytes& a, const SecretBytes& b);
  friend bool operator!=(const SecretBytes& a, const SecretBytes& b) {
    return !(a == b);
  }

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_SECRET_BYTES_H_
