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

namespace {

// Neither begins with the other, so no input of the one is one of the other.
constexpr absl::string_view kKeyDomain = "sdb/opaque key:";
constexpr absl::string_view kValueDomain = "sdb/opaque value:";

void Update(CryptoPP::HMAC<CryptoPP::SHA256>* hmac, absl::string_view bytes) {
  hmac->Update(reinterpret_cast<const byte*>(bytes.data()), bytes.size());
}

}  // namespace

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
  return Hmac(kKeyDomain, user_key);
}

std::string KeyPrf::Binding(absl::string_view opaque_key) const {
  return Hmac(kValueDomain, opaque_key);
}

std::string KeyPrf::Hmac(absl::string_view domain,
                         absl::string_view bytes) const {
  CryptoPP::HMAC<CryptoPP::SHA256> hmac(
      reinterpret_cast<const byte*>(secret_.reveal().data()), secret_.size());
  Update(&hmac, domain);
  Update(&hmac, bytes);
  std::string mac(CryptoPP::SHA256::DIGESTSIZE, '\0');
  hmac.Final(reinterpret_cast<byte*>(&mac[0]));
  return mac;
}

}  // namespace shardingdb
