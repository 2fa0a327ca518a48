// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/scrypt.h"

#include <cryptopp/scrypt.h>

#include <exception>
#include <new>

#include "absl/strings/str_cat.h"

namespace shardingdb::crypto_internal {

using CryptoPP::byte;

absl::Status CheckScryptParameters(const ScryptParameters& what) {
  const auto [n, r, p] = what;
  if (n < 2 || (n & (n - 1)) != 0 || r == 0 || p == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("scrypt: N=", n, " r=", r, " p=", p,
                     ": N is a power of two, none is 0"));
  }
  // Each on its own first: the products must not overflow.
  if (n > kScryptMaxWork || r > kScryptMaxWork / n ||
      p > kScryptMaxWork / (n * r) || n * r > kScryptMaxMemory / 128) {
    return absl::InvalidArgumentError(
        absl::StrCat("scrypt: N=", n, " r=", r, " p=", p,
                     ": would take too much memory or time"));
  }
  return absl::OkStatus();
}

absl::StatusOr<SecretBytes> Scrypt(const SecretBytes& passphrase,
                                   absl::string_view salt,
                                   const ScryptParameters& parameters,
                                   size_t size) {
  absl::Status status = CheckScryptParameters(parameters);
  if (!status.ok()) return status;
  SecretBytes derived = SecretBytes::Zeros(size);
  try {
    CryptoPP::Scrypt().DeriveKey(
        reinterpret_cast<byte*>(derived.mutable_data()), derived.size(),
        reinterpret_cast<const byte*>(passphrase.reveal().data()),
        passphrase.size(), reinterpret_cast<const byte*>(salt.data()),
        salt.size(), parameters.n, parameters.r, parameters.p);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "scrypt: no memory: ", 128 * parameters.n * parameters.r, " bytes"));
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("scrypt: ", error.what()));
  }
  return derived;
}

}  // namespace shardingdb::crypto_internal
