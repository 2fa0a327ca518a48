// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CRYPTO_COMPRESSING_AEAD_H_
#define SHARDINGDB_CRYPTO_COMPRESSING_AEAD_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "crypto/aead.h"
#include "crypto/compression.h"
#include "crypto/key_ring.h"

namespace shardingdb {

// A KeyRing that compresses what it seals, where that saves space. It opens
// what the ring opens, compressed or not.
//
// The length of a sealed value then depends on what is in it, not only on how
// long it is. Do not compress where somebody who can see sizes can also choose
// a part of a value that holds a secret in another part.
//
// Thread safety and errors are those of KeyRing.
class CompressingAead final : public Aead {
 public:
  // REQUIRES: key_ring is not null.
  CompressingAead(std::shared_ptr<const KeyRing> key_ring,
                  Compression compression)
      : key_ring_(std::move(key_ring)), compression_(compression) {}

  [[nodiscard]] absl::Status Seal(absl::string_view plaintext,
                                  absl::string_view associated_data,
                                  std::string* sealed) const override {
    return key_ring_->SealCompressed(compression_, plaintext, associated_data,
                                     sealed);
  }
  [[nodiscard]] absl::Status Open(absl::string_view sealed,
                                  absl::string_view associated_data,
                                  std::string* plaintext) const override {
    return key_ring_->Open(sealed, associated_data, plaintext);
  }
  bool NeedsReseal(absl::string_view sealed) const override {
    return key_ring_->NeedsReseal(sealed);
  }

 private:
  const std::shared_ptr<const KeyRing> key_ring_;
  const Compression compression_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_COMPRESSING_AEAD_H_
