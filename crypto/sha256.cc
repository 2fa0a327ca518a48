// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/sha256.h"

#include <cryptopp/sha.h>

namespace shardingdb {
namespace {

void UpdateHash(absl::string_view piece, CryptoPP::SHA256* hash) {
  if (piece.empty()) return;
  hash->Update(reinterpret_cast<const CryptoPP::byte*>(piece.data()),
               piece.size());
}

Sha256::Digest FinishHash(CryptoPP::SHA256* hash) {
  Sha256::Digest digest;
  static_assert(sizeof(digest) == CryptoPP::SHA256::DIGESTSIZE);
  hash->Final(digest.data());
  return digest;
}

}  // namespace

struct Sha256::State {
  CryptoPP::SHA256 hash;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::Update(absl::string_view piece) {
  UpdateHash(piece, &state_->hash);
}

Sha256::Digest Sha256::Finish() { return FinishHash(&state_->hash); }

Sha256::Digest Sha256::Of(absl::string_view text) {
  CryptoPP::SHA256 hash;
  UpdateHash(text, &hash);
  return FinishHash(&hash);
}

}  // namespace shardingdb
