// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/xaes_gcm.h"

#include <cryptopp/aes.h>
#include <cryptopp/cmac.h>

#include <cstdint>
#include <cstring>
#include <exception>

#include "absl/strings/str_cat.h"
#include "crypto/wipe.h"

namespace shardingdb::crypto_internal {
namespace {

using CryptoPP::byte;

// On the stack, for the moment between deriving a key and its schedule.
struct DerivedKey {
  ~DerivedKey() { Wipe(bytes, sizeof(bytes)); }
  absl::string_view view() const {
    return {reinterpret_cast<const char*>(bytes), sizeof(bytes)};
  }
  byte bytes[kAesGcmKeySize];
};

// The counter-based KDF of NIST SP 800-108r1 with CMAC-AES256: a counter of 16
// bits, the label "X", a zero byte and the context, which make one block.
absl::Status Derive(absl::string_view key, const XaesPrefix& prefix,
                    DerivedKey* derived) {
  if (key.size() != kXaesKeySize) {
    return absl::InvalidArgumentError(absl::StrCat(
        "XAES-256-GCM: a key has ", kXaesKeySize, " bytes, not ", key.size()));
  }
  try {
    CryptoPP::CMAC<CryptoPP::AES> cmac(
        reinterpret_cast<const byte*>(key.data()), key.size());
    constexpr size_t kBlock = CryptoPP::AES::BLOCKSIZE;
    byte block[kBlock] = {0, 0, 'X', 0};
    static_assert(4 + kXaesPrefixSize == kBlock);
    static_assert(2 * kBlock == kAesGcmKeySize);
    std::memcpy(block + 4, prefix.data(), prefix.size());
    for (byte i = 0; i < 2; ++i) {
      block[1] = static_cast<byte>(i + 1);
      cmac.CalculateDigest(derived->bytes + i * kBlock, block, kBlock);
    }
    return absl::OkStatus();
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("XAES-256-GCM: ", error.what()));
  }
}

absl::Status CheckNonce(absl::string_view nonce) {
  if (nonce.size() == kXaesNonceSize) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("XAES-256-GCM: a nonce has ",
                                                 kXaesNonceSize, " bytes, not ",
                                                 nonce.size()));
}

XaesPrefix PrefixOf(absl::string_view nonce) {
  XaesPrefix prefix;
  std::memcpy(prefix.data(), nonce.data(), prefix.size());
  return prefix;
}

}  // namespace

absl::StatusOr<AesGcmSealer> DeriveXaesSealer(absl::string_view key,
                                              const XaesPrefix& prefix) {
  DerivedKey derived;
  absl::Status status = Derive(key, prefix, &derived);
  if (!status.ok()) return status;
  return AesGcmSealer::New(derived.view());
}

absl::StatusOr<AesGcmOpener> DeriveXaesOpener(absl::string_view key,
                                              const XaesPrefix& prefix) {
  DerivedKey derived;
  absl::Status status = Derive(key, prefix, &derived);
  if (!status.ok()) return status;
  return AesGcmOpener::New(derived.view());
}

absl::Status XaesSeal(absl::string_view key, absl::string_view nonce,
                      absl::string_view associated_data,
                      absl::string_view plaintext, char* sealed) {
  if (absl::Status status = CheckNonce(nonce); !status.ok()) return status;
  absl::StatusOr<AesGcmSealer> sealer = DeriveXaesSealer(key, PrefixOf(nonce));
  if (!sealer.ok()) return sealer.status();
  return sealer->Seal(nonce.substr(kXaesPrefixSize), associated_data, plaintext,
                      sealed);
}

absl::Status XaesOpen(absl::string_view key, absl::string_view nonce,
                      absl::string_view associated_data,
                      absl::string_view sealed, char* plaintext) {
  if (absl::Status status = CheckNonce(nonce); !status.ok()) return status;
  absl::StatusOr<AesGcmOpener> opener = DeriveXaesOpener(key, PrefixOf(nonce));
  if (!opener.ok()) return opener.status();
  return opener->Open(nonce.substr(kXaesPrefixSize), associated_data, sealed,
                      plaintext);
}

}  // namespace shardingdb::crypto_internal
