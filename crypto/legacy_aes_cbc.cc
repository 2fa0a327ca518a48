// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/legacy_aes_cbc.h"

#include <cryptopp/aes.h>
#include <cryptopp/modes.h>

#include <cstddef>
#include <exception>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/private_file.h"
#include "crypto/wipe.h"

namespace shardingdb {
namespace {

using CryptoPP::byte;

constexpr size_t kBlock = 16;
constexpr absl::string_view kNoKey = "a key is 16, 24 or 32 bytes";

bool IsKeySize(size_t size) { return size == 16 || size == 24 || size == 32; }

absl::Status DoesNotOpen(absl::string_view why) {
  return absl::DataLossError(absl::StrCat("legacy AES-CBC value: ", why));
}

class LegacyAesCbc final : public Aead {
 public:
  explicit LegacyAesCbc(SecretBytes key) : key_(std::move(key)) {}

  absl::Status Seal(absl::string_view, absl::string_view,
                    std::string*) const override {
    return absl::InvalidArgumentError(
        "legacy AES-CBC is for reading old values only");
  }

  absl::Status Open(absl::string_view sealed, absl::string_view,
                    std::string* plaintext) const override {
    plaintext->clear();
    if (sealed.empty()) return absl::OkStatus();
    if (sealed.size() < 2 * kBlock) {
      return DoesNotOpen(absl::StrCat("too short: ", sealed.size(), " bytes"));
    }
    if (sealed.size() % kBlock != 0) {
      return DoesNotOpen(
          absl::StrCat("no whole number of blocks: ", sealed.size(), " bytes"));
    }
    if (sealed.substr(0, kBlock) != std::string(kBlock, '\0')) {
      return DoesNotOpen("its initialization vector is not zero");
    }
    absl::Status status = Decrypt(sealed, plaintext);
    if (status.ok()) status = RemovePadding(plaintext);
    if (!status.ok()) crypto_internal::WipeAndClear(plaintext);
    return status;
  }

  bool NeedsReseal(absl::string_view) const override { return false; }

 private:
  absl::Status Decrypt(absl::string_view sealed, std::string* padded) const {
    const auto* const bytes = reinterpret_cast<const byte*>(sealed.data());
    padded->resize(sealed.size() - kBlock);
    try {
      CryptoPP::CBC_Mode<CryptoPP::AES>::Decryption cipher(
          reinterpret_cast<const byte*>(key_.reveal().data()), key_.size(),
          bytes);
      cipher.ProcessData(reinterpret_cast<byte*>(&(*padded)[0]), bytes + kBlock,
                         padded->size());
    } catch (const std::exception& error) {
      return absl::InternalError(
          absl::StrCat("legacy AES-CBC: ", error.what()));
    }
    return absl::OkStatus();
  }

  // PKCS#7: as many bytes as each of them says.
  static absl::Status RemovePadding(std::string* padded) {
    const size_t padding = static_cast<unsigned char>(padded->back());
    const std::string expected(padding, padded->back());
    if (padding < 1 || padding > kBlock ||
        padded->compare(padded->size() - padding, padding, expected) != 0) {
      return DoesNotOpen("its padding is wrong");
    }
    padded->resize(padded->size() - padding);
    return absl::OkStatus();
  }

  const SecretBytes key_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Aead>> NewLegacyAesCbc(SecretBytes key) {
  if (!IsKeySize(key.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("legacy AES-CBC: ", kNoKey, ", not ", key.size()));
  }
  return std::make_shared<LegacyAesCbc>(std::move(key));
}

absl::StatusOr<std::shared_ptr<const Aead>> LegacyAesCbcFromFile(
    const std::string& path) {
  constexpr size_t kMaxSize = 1 << 20;
  absl::StatusOr<SecretBytes> key =
      crypto_internal::ReadSecretFile(path, kMaxSize);
  if (!key.ok()) return key.status();
  if (!IsKeySize(key->size())) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": not a key: it holds ", key->size(), " bytes, ", kNoKey,
        " and nothing else, no line feed at the end either"));
  }
  return NewLegacyAesCbc(*std::move(key));
}

}  // namespace shardingdb
