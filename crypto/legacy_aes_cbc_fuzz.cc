// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a value of the Go shardingdb: as they are, and as what stands in
// such a value before it is encrypted, the padding with it.

#include <cryptopp/aes.h>
#include <cryptopp/modes.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/aead.h"
#include "crypto/legacy_aes_cbc.h"
#include "crypto/secret_bytes.h"
#include "testing/fuzz_target.h"

namespace shardingdb {
namespace {

using CryptoPP::byte;

constexpr size_t kBlock = 16;
constexpr absl::string_view kKey = "1234567890123456";

const Aead& Legacy() {
  static const auto* const legacy =
      new absl::StatusOr<std::shared_ptr<const Aead>>(
          NewLegacyAesCbc(SecretBytes(std::string(kKey))));
  if (!legacy->ok()) std::abort();
  return ***legacy;
}

// What was stored for `padded`, which is a whole number of blocks and not none.
std::string Stored(absl::string_view padded) {
  std::string stored(kBlock + padded.size(), '\0');
  CryptoPP::CBC_Mode<CryptoPP::AES>::Encryption cipher(
      reinterpret_cast<const byte*>(kKey.data()), kKey.size(),
      reinterpret_cast<const byte*>(stored.data()));
  cipher.ProcessData(reinterpret_cast<byte*>(&stored[kBlock]),
                     reinterpret_cast<const byte*>(padded.data()),
                     padded.size());
  return stored;
}

std::string Padded(absl::string_view value) {
  const size_t padding = kBlock - value.size() % kBlock;
  return absl::StrCat(value, std::string(padding, static_cast<char>(padding)));
}

// What opens is what somebody stored, and all of it.
std::string CheckOpen(absl::string_view stored) {
  std::string value = "before";
  const absl::Status status = Legacy().Open(stored, "key", &value);
  if (status.ok()) {
    const std::string again = stored.empty() ? "" : Stored(Padded(value));
    return again == stored ? "" : "opened to something else";
  }
  if (!value.empty()) return "refused, and gave a value";
  return absl::IsDataLoss(status) &&
                 absl::StartsWith(status.message(), "legacy AES-CBC value: ")
             ? ""
             : absl::StrCat("refused in another way: ", status.ToString());
}

// Whether what stands before encryption ends with a padding.
bool IsPadded(absl::string_view padded) {
  const auto padding = static_cast<uint8_t>(padded.back());
  if (padding < 1 || padding > kBlock) return false;
  for (const char c : padded.substr(padded.size() - padding)) {
    if (static_cast<uint8_t>(c) != padding) return false;
  }
  return true;
}

std::string CheckPadded(absl::string_view padded) {
  const std::string stored = Stored(padded);
  std::string value;
  const bool opens = Legacy().Open(stored, "key", &value).ok();
  if (opens != IsPadded(padded)) return "another padding than it should be";
  return CheckOpen(stored);
}

std::string CheckValue(absl::string_view value) {
  std::string opened;
  const absl::Status status =
      Legacy().Open(Stored(Padded(value)), "key", &opened);
  if (!status.ok()) return std::string(status.message());
  return opened == value ? "" : "opened to something else";
}

}  // namespace

std::string FuzzOne(absl::string_view input) {
  std::string error = CheckOpen(input);
  const absl::string_view blocks =
      input.substr(0, input.size() / kBlock * kBlock);
  if (error.empty() && !blocks.empty()) error = CheckPadded(blocks);
  return error.empty() ? CheckValue(input) : error;
}

}  // namespace shardingdb
