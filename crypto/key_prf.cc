// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_prf.h"

#include <cryptopp/hmac.h>
#include <cryptopp/sha.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace shardingdb {

using CryptoPP::byte;

KeyPrf::KeyPrf(SecretBytes secret) : secret_(std::move(secret)) {}

absl::StatusOr<std::shared_ptr<const KeyPrf>> KeyPrf::New(SecretBytes secret) {
  if (secret.size() != kSecretSize) {
    return absl::InvalidArgumentError(
        absl::StrCat("the secret of opaque keys has ", kSecretSize,
                     " bytes, not ", secret.size()));
  }
  return std::shared_ptr<const KeyPrf>(new KeyPrf(std::move(secret)));
}

absl::StatusOr<std::shared_ptr<const KeyPrf>> KeyPrf::Generate() {
  absl::StatusOr<SecretBytes> secret = SecretBytes::Random(kSecretSize);
  if (!secret.ok()) return secret.status();
  return New(*std::move(secret));
}

std::string KeyPrf::Compute(absl::string_view user_key) const {
  CryptoPP::HMAC<CryptoPP::SHA256> hmac(
      reinterpret_cast<const byte*>(secret_.reveal().data()), secret_.size());
  hmac.Update(reinterpret_cast<const byte*>(user_key.data()), user_key.size());
  std::string opaque(kOpaqueKeySize, '\0');
  hmac.Final(reinterpret_cast<byte*>(&opaque[0]));
  return opaque;
}

}  // namespace shardingdb
