// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The accumulated randomized tests of the XAES-256-GCM specification: texts
// drawn from one SHAKE-128 are sealed, and another SHAKE-128 hashes what comes
// out.

#include <cryptopp/shake.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "crypto/hex_for_test.h"
#include "crypto/xaes_gcm.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

std::string Output(CryptoPP::SHAKE128* shake, size_t size) {
  std::string bytes(size, '\0');
  shake->TruncatedFinal(reinterpret_cast<CryptoPP::byte*>(&bytes[0]), size);
  return bytes;
}

// Crypto++ gives the output of SHAKE in one piece. An iteration takes 313 bytes
// on average; 1 % more is beyond any doubt where there are thousands of them.
std::string RandomStream(int iterations) {
  CryptoPP::SHAKE128 shake;
  return Output(&shake, size_t{316} * iterations);
}

absl::string_view Take(absl::string_view* stream, size_t size) {
  const absl::string_view taken = stream->substr(0, size);
  stream->remove_prefix(size);
  return taken;
}

absl::string_view TakeVariable(absl::string_view* stream) {
  return Take(stream, static_cast<uint8_t>(Take(stream, 1)[0]));
}

std::string AccumulatedHash(int iterations) {
  const std::string random = RandomStream(iterations);
  absl::string_view rest = random;
  CryptoPP::SHAKE128 hash;
  for (int i = 0; i < iterations; ++i) {
    const absl::string_view key = Take(&rest, kXaesKeySize);
    const absl::string_view nonce = Take(&rest, kXaesNonceSize);
    const absl::string_view plaintext = TakeVariable(&rest);
    const absl::string_view associated_data = TakeVariable(&rest);
    char sealed[255 + kXaesTagSize];
    if (!XaesSeal(key, nonce, associated_data, plaintext, sealed).ok()) {
      return "does not seal";
    }
    const size_t sealed_size = plaintext.size() + kXaesTagSize;
    char opened[255];
    if (!XaesOpen(key, nonce, associated_data, {sealed, sealed_size}, opened)
             .ok() ||
        plaintext != absl::string_view(opened, plaintext.size())) {
      return "does not open";
    }
    hash.Update(reinterpret_cast<const CryptoPP::byte*>(sealed), sealed_size);
  }
  return ToHex(Output(&hash, 32));
}

TEST(XaesGcmAccumulatedTest, TheRandomStreamBeginsAsItShould) {
  EXPECT_EQ(ToHex(RandomStream(1).substr(0, 16)),
            "7f9c2ba4e88f827d616045507605853e");
}

TEST(XaesGcmAccumulatedTest, TenThousand) {
  EXPECT_EQ(AccumulatedHash(10000),
            "e6b9edf2df6cec60c8cbd864e2211b597fb69a529160cd040d56c0c210081939");
}

TEST(XaesGcmAccumulatedTest, OneMillion) {
  EXPECT_EQ(AccumulatedHash(1000000),
            "2163ae1445985a30b60585ee67daa55674df06901b890593e824b8a7c885ab15");
}

}  // namespace
}  // namespace shardingdb::crypto_internal
