// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/aes_gcm.h"

#include <cryptopp/aes.h>
#include <cryptopp/gcm.h>

#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "crypto/wipe.h"

namespace shardingdb::crypto_internal {
namespace {

using CryptoPP::byte;

const byte* Bytes(const char* data) {
  return reinterpret_cast<const byte*>(data);
}
const byte* Bytes(absl::string_view text) { return Bytes(text.data()); }
byte* Bytes(char* data) { return reinterpret_cast<byte*>(data); }

absl::Status LibraryError(const std::exception& error) {
  return absl::InternalError(absl::StrCat("AES-GCM: ", error.what()));
}

absl::Status CheckKey(absl::string_view key) {
  if (key.size() == kAesGcmKeySize) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "AES-GCM: a key has ", kAesGcmKeySize, " bytes, not ", key.size()));
}

absl::Status CheckNonce(absl::string_view nonce) {
  if (nonce.size() == kAesGcmNonceSize) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "AES-GCM: a nonce has ", kAesGcmNonceSize, " bytes, not ", nonce.size()));
}

// SetKey() insists on a nonce too; every message brings its own.
template <typename GcmMode>
void SetKey(absl::string_view key, GcmMode* gcm) {
  const byte unused_nonce[kAesGcmNonceSize] = {};
  gcm->SetKeyWithIV(Bytes(key), key.size(), unused_nonce, kAesGcmNonceSize);
}

template <typename GcmMode>
void Process(absl::string_view nonce, absl::string_view associated_data,
             absl::string_view input, char* output, GcmMode* gcm) {
  gcm->Resynchronize(Bytes(nonce), kAesGcmNonceSize);
  if (!associated_data.empty()) {
    gcm->Update(Bytes(associated_data), associated_data.size());
  }
  if (!input.empty()) {
    gcm->ProcessData(Bytes(output), Bytes(input), input.size());
  }
}

}  // namespace

struct AesGcmSealer::Cipher {
  CryptoPP::GCM<CryptoPP::AES>::Encryption gcm;
};

AesGcmSealer::AesGcmSealer(std::unique_ptr<Cipher> cipher)
    : cipher_(std::move(cipher)) {}
AesGcmSealer::AesGcmSealer(AesGcmSealer&&) noexcept = default;
AesGcmSealer& AesGcmSealer::operator=(AesGcmSealer&&) noexcept = default;
AesGcmSealer::~AesGcmSealer() = default;

absl::StatusOr<AesGcmSealer> AesGcmSealer::New(absl::string_view key) {
  if (absl::Status status = CheckKey(key); !status.ok()) return status;
  try {
    auto cipher = std::make_unique<Cipher>();
    SetKey(key, &cipher->gcm);
    return AesGcmSealer(std::move(cipher));
  } catch (const std::exception& error) {
    return LibraryError(error);
  }
}

absl::Status AesGcmSealer::Seal(absl::string_view nonce,
                                absl::string_view associated_data,
                                absl::string_view plaintext, char* sealed) {
  if (absl::Status status = CheckNonce(nonce); !status.ok()) return status;
  if (plaintext.size() > kAesGcmMaxPlaintextSize) {
    return absl::InvalidArgumentError(
        absl::StrCat("AES-GCM: ", plaintext.size(),
                     " bytes are more than can be sealed at once"));
  }
  try {
    Process(nonce, associated_data, plaintext, sealed, &cipher_->gcm);
    cipher_->gcm.TruncatedFinal(Bytes(sealed + plaintext.size()),
                                kAesGcmTagSize);
    return absl::OkStatus();
  } catch (const std::exception& error) {
    return LibraryError(error);
  }
}

struct AesGcmOpener::Cipher {
  CryptoPP::GCM<CryptoPP::AES>::Decryption gcm;
};

AesGcmOpener::AesGcmOpener(std::unique_ptr<Cipher> cipher)
    : cipher_(std::move(cipher)) {}
AesGcmOpener::AesGcmOpener(AesGcmOpener&&) noexcept = default;
AesGcmOpener& AesGcmOpener::operator=(AesGcmOpener&&) noexcept = default;
AesGcmOpener::~AesGcmOpener() = default;

absl::StatusOr<AesGcmOpener> AesGcmOpener::New(absl::string_view key) {
  if (absl::Status status = CheckKey(key); !status.ok()) return status;
  try {
    auto cipher = std::make_unique<Cipher>();
    SetKey(key, &cipher->gcm);
    return AesGcmOpener(std::move(cipher));
  } catch (const std::exception& error) {
    return LibraryError(error);
  }
}

absl::Status AesGcmOpener::Open(absl::string_view nonce,
                                absl::string_view associated_data,
                                absl::string_view sealed, char* plaintext) {
  if (absl::Status status = CheckNonce(nonce); !status.ok()) return status;
  if (sealed.size() < kAesGcmTagSize) {
    return absl::DataLossError("AES-GCM: shorter than a tag");
  }
  const size_t size = sealed.size() - kAesGcmTagSize;
  if (size > kAesGcmMaxPlaintextSize) {
    return absl::DataLossError("AES-GCM: longer than anything sealed");
  }
  try {
    Process(nonce, associated_data, sealed.substr(0, size), plaintext,
            &cipher_->gcm);
    if (cipher_->gcm.TruncatedVerify(Bytes(sealed.data() + size),
                                     kAesGcmTagSize)) {
      return absl::OkStatus();
    }
    Wipe(plaintext, size);
    return absl::DataLossError("AES-GCM: authentication failed");
  } catch (const std::exception& error) {
    Wipe(plaintext, size);
    return LibraryError(error);
  }
}

}  // namespace shardingdb::crypto_internal
