// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// SHA-256 (FIPS 180-4).

#ifndef SHARDINGDB_CRYPTO_SHA256_H_
#define SHARDINGDB_CRYPTO_SHA256_H_

#include <array>
#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"

namespace shardingdb {

// Sha256 computes the digest of a text that comes in pieces. It makes no
// difference where the text is cut.
//
// Thread safety: none; a thread needs the object to itself.
class Sha256 {
 public:
  using Digest = std::array<uint8_t, 32>;

  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();

  // Appends `piece` to the text.
  void Update(absl::string_view piece);

  // The digest of the text so far. The text is empty again afterwards.
  Digest Finish();

  // The digest of `text`.
  static Digest Of(absl::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_SHA256_H_
