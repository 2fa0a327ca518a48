// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/any_size_gcm.h"

#include <cryptopp/aes.h>
#include <cryptopp/gcm.h>

#include <algorithm>
#include <exception>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace shardingdb::crypto_internal {
namespace {

using CryptoPP::byte;

constexpr size_t kBlockSize = 16;

const byte* Bytes(absl::string_view text) {
  return reinterpret_cast<const byte*>(text.data());
}
byte* Bytes(std::string* text) { return reinterpret_cast<byte*>(&(*text)[0]); }

absl::Status LibraryError(const std::exception& error) {
  return absl::InternalError(absl::StrCat("GCM: ", error.what()));
}

absl::Status CheckSizes(absl::string_view key, absl::string_view nonce,
                        size_t tag_size) {
  if (key.size() != 16 && key.size() != 24 && key.size() != 32) {
    return absl::InvalidArgumentError(
        absl::StrCat("GCM: no key has ", key.size(), " bytes"));
  }
  if (nonce.empty()) {
    return absl::InvalidArgumentError("GCM: no nonce is empty");
  }
  if (tag_size != 4 && tag_size != 8 && (tag_size < 12 || tag_size > 16)) {
    return absl::InvalidArgumentError(
        absl::StrCat("GCM: no tag has ", tag_size, " bytes"));
  }
  return absl::OkStatus();
}

std::string Xor(std::string a, absl::string_view b) {
  for (size_t i = 0; i < b.size(); ++i) a[i] ^= b[i];
  return a;
}

// The block that counts a nonce's first message block, and before it the tag.
std::string CountFrom(absl::string_view nonce) {
  return absl::StrCat(nonce, absl::string_view("\0\0\0\1", 4));
}

// The specification's inc32: the last 4 bytes count, and carry nowhere.
void Increment(std::string* block) {
  for (size_t i = kBlockSize; i-- > kBlockSize - 4;) {
    if (++(*block)[i] != 0) break;
  }
}

// What the library makes of `input`, and its whole tag in `*tag`.
template <typename GcmMode>
std::string Process(absl::string_view key, absl::string_view nonce,
                    absl::string_view associated_data, absl::string_view input,
                    std::string* tag) {
  GcmMode gcm;
  gcm.SetKeyWithIV(Bytes(key), key.size(), Bytes(nonce), nonce.size());
  if (!associated_data.empty()) {
    gcm.Update(Bytes(associated_data), associated_data.size());
  }
  std::string output(input.size(), '\0');
  if (!input.empty()) {
    gcm.ProcessData(Bytes(&output), Bytes(input), input.size());
  }
  tag->resize(kBlockSize);
  gcm.TruncatedFinal(Bytes(tag), kBlockSize);
  return output;
}

using Encryption = CryptoPP::GCM<CryptoPP::AES>::Encryption;
using Decryption = CryptoPP::GCM<CryptoPP::AES>::Decryption;

}  // namespace

absl::StatusOr<AnySizeGcm> AnySizeGcm::New(absl::string_view key,
                                           absl::string_view nonce,
                                           size_t tag_size) {
  if (absl::Status status = CheckSizes(key, nonce, tag_size); !status.ok()) {
    return status;
  }
  AnySizeGcm gcm(key, nonce, tag_size);
  try {
    gcm.has_own_counter_ = absl::EndsWith(gcm.FirstBlock(), "\xff\xff\xff\xff");
  } catch (const std::exception& error) {
    return LibraryError(error);
  }
  return gcm;
}

std::string AnySizeGcm::EncryptBlock(const std::string& block) const {
  const CryptoPP::AES::Encryption aes(Bytes(key_), key_.size());
  std::string encrypted(kBlockSize, '\0');
  aes.ProcessBlock(Bytes(block), Bytes(&encrypted));
  return encrypted;
}

std::string AnySizeGcm::Hash(absl::string_view associated_data,
                             absl::string_view ciphertext) const {
  // A tag is the hash and the encrypted first block, and decrypting hashes
  // what it is given.
  const std::string nonce(12, '\0');
  std::string tag;
  Process<Decryption>(key_, nonce, associated_data, ciphertext, &tag);
  return Xor(tag, EncryptBlock(CountFrom(nonce)));
}

std::string AnySizeGcm::FirstBlock() const {
  return nonce_.size() == 12 ? CountFrom(nonce_) : Hash("", nonce_);
}

std::string AnySizeGcm::Count(absl::string_view text) const {
  std::string result;
  std::string block = FirstBlock();
  for (size_t at = 0; at < text.size(); at += kBlockSize) {
    Increment(&block);
    result += Xor(std::string(text.substr(at, kBlockSize)),
                  EncryptBlock(block).substr(0, text.size() - at));
  }
  return result;
}

std::string AnySizeGcm::Tag(absl::string_view associated_data,
                            absl::string_view ciphertext) const {
  return Xor(Hash(associated_data, ciphertext), EncryptBlock(FirstBlock()));
}

absl::StatusOr<std::string> AnySizeGcm::Seal(
    absl::string_view associated_data, absl::string_view plaintext) const {
  try {
    std::string ciphertext;
    std::string tag;
    if (has_own_counter_) {
      ciphertext = Count(plaintext);
      tag = Tag(associated_data, ciphertext);
    } else {
      ciphertext =
          Process<Encryption>(key_, nonce_, associated_data, plaintext, &tag);
    }
    return ciphertext + tag.substr(0, tag_size_);
  } catch (const std::exception& error) {
    return LibraryError(error);
  }
}

absl::StatusOr<std::string> AnySizeGcm::Open(absl::string_view associated_data,
                                             absl::string_view sealed) const {
  if (sealed.size() < tag_size_) {
    return absl::DataLossError("GCM: shorter than a tag");
  }
  const absl::string_view ciphertext =
      sealed.substr(0, sealed.size() - tag_size_);
  try {
    std::string plaintext;
    std::string tag;
    if (has_own_counter_) {
      plaintext = Count(ciphertext);
      tag = Tag(associated_data, ciphertext);
    } else {
      plaintext =
          Process<Decryption>(key_, nonce_, associated_data, ciphertext, &tag);
    }
    if (absl::EndsWith(sealed, tag.substr(0, tag_size_))) return plaintext;
    return absl::DataLossError("GCM: authentication failed");
  } catch (const std::exception& error) {
    return LibraryError(error);
  }
}

}  // namespace shardingdb::crypto_internal
