// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a sealed value. The first byte of an input is the length of a
// user key, which follows; the rest is taken for an envelope, and then for a
// plaintext that is sealed, damaged by itself, and opened.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/compression.h"
#include "crypto/hex_for_test.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "testing/fuzz_target.h"

namespace shardingdb {
namespace {

using crypto_internal::FromHex;

constexpr uint32_t kGoldenId = 0x04030201;
constexpr uint32_t kDisabledId = 2;

std::shared_ptr<KeyRing> NewRing() {
  std::vector<DataKey> keys(3);
  std::string golden;
  for (int i = 0; i < 32; ++i) golden.push_back(static_cast<char>(i));
  keys[0].id = kGoldenId;
  keys[0].key = SecretBytes(golden);
  keys[1].id = 1;
  keys[1].key = SecretBytes(std::string(32, 'a'));
  keys[2].id = kDisabledId;
  keys[2].key = SecretBytes(std::string(32, 'b'));
  keys[2].state = KeyState::kDisabled;
  absl::StatusOr<std::shared_ptr<KeyRing>> ring =
      KeyRing::FromKeys(std::move(keys), 1);
  if (!ring.ok()) std::abort();
  return *std::move(ring);
}

const KeyRing& Ring() {
  static const auto* const ring = new std::shared_ptr<KeyRing>(NewRing());
  return **ring;
}

struct Sealed {
  std::string user_key;
  std::string envelope;
};

// All that was ever sealed under these keys, but for what an input seals: the
// golden bytes of envelope_test and compressing_aead_test. The corpus has them.
bool WasSealed(absl::string_view envelope, absl::string_view user_key) {
  static const auto* const kSealed = new std::vector<Sealed>{
      {"user-key", FromHex("0180010203044041424344454647"
                           "48494a4b4c4d4e4f5051525354555657"
                           "08a02aa6857593643f8f559dec53cd2bbb812662db")},
      {"", FromHex("018001020304404142434445464748494a4b4c4d4e4f50515253"
                   "545556579966fbc940ea68f47854787a36425108")},
      {"user-key", FromHex("0181010203044041424344454647"
                           "48494a4b4c4d4e4f5051525354555657fec046b21e"
                           "f2658338a64504ac2a6bc884646cbec33126ee2615")},
      {"user-key", FromHex("0182010203044041424344454647"
                           "48494a4b4c4d4e4f50515253545556575674692ec0"
                           "73667d39c799400992b1270b959e8088b5a7780192")},
  };
  return std::any_of(kSealed->begin(), kSealed->end(), [&](const Sealed& one) {
    return one.user_key == user_key && one.envelope == envelope;
  });
}

// Opens what nobody sealed.
std::string CheckRefused(absl::string_view envelope,
                         absl::string_view user_key) {
  std::string plaintext = "before";
  const absl::Status status = Ring().Open(envelope, user_key, &plaintext);
  if (status.ok()) return "opened what was not sealed";
  if (!plaintext.empty()) return "refused, and gave a plaintext";
  if (absl::IsDataLoss(status)) return "";
  const bool names_disabled =
      envelope.substr(2, 4) == absl::string_view("\2\0\0\0", 4);
  return absl::IsFailedPrecondition(status) && names_disabled
             ? ""
             : absl::StrCat("refused with another code: ", status.ToString());
}

std::string CheckRead(absl::string_view envelope, absl::string_view user_key) {
  if (!WasSealed(envelope, user_key)) return CheckRefused(envelope, user_key);
  std::string plaintext;
  const absl::Status status = Ring().Open(envelope, user_key, &plaintext);
  return std::string(status.message());
}

// Seals `plaintext` and damages that with `plaintext` from the byte `at` on.
std::string CheckSealed(absl::string_view plaintext, absl::string_view user_key,
                        size_t at) {
  constexpr Compression kCompressions[] = {
      Compression::kNone, Compression::kSnappy, Compression::kZstd};
  std::string sealed;
  absl::Status status = Ring().SealCompressed(kCompressions[at % 3], plaintext,
                                              user_key, &sealed);
  if (!status.ok()) return std::string(status.message());
  std::string opened;
  status = Ring().Open(sealed, user_key, &opened);
  if (!status.ok()) return std::string(status.message());
  if (opened != plaintext) return "opened to something else";

  std::string damaged = sealed;
  for (size_t i = 0; i < plaintext.size(); ++i) {
    damaged[(at + i) % damaged.size()] ^= plaintext[i];
  }
  std::string error;
  if (damaged != sealed) error = CheckRefused(damaged, user_key);
  if (error.empty()) {
    error = CheckRefused(sealed.substr(0, at % sealed.size()), user_key);
  }
  if (error.empty()) {
    error = CheckRefused(sealed, absl::StrCat(user_key, "x"));
  }
  return error;
}

}  // namespace

std::string FuzzOne(absl::string_view input) {
  if (input.empty()) return CheckRead("", "");
  const size_t length = static_cast<uint8_t>(input[0]);
  const absl::string_view user_key = input.substr(1, length);
  const absl::string_view rest = input.substr(1 + user_key.size());
  const std::string error = CheckRead(rest, user_key);
  return error.empty() ? CheckSealed(rest, user_key, length) : error;
}

}  // namespace shardingdb
