// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "cryptopp/aes.h"
#include "cryptopp/cmac.h"
#include "cryptopp/gcm.h"
#include "cryptopp/hex.h"
#include "cryptopp/shake.h"
#include "gtest/gtest.h"

namespace {

// Test case 14 of the GCM specification: a zero key, nonce and block.
TEST(Cryptopp, AesGcmMatchesItsSpecification) {
  const CryptoPP::byte key[32] = {}, nonce[12] = {}, plaintext[16] = {};
  CryptoPP::byte sealed[16], tag[16];
  CryptoPP::GCM<CryptoPP::AES>::Encryption gcm;
  gcm.SetKeyWithIV(key, sizeof(key), nonce, sizeof(nonce));
  gcm.EncryptAndAuthenticate(sealed, tag, sizeof(tag), nonce, sizeof(nonce),
                             nullptr, 0, plaintext, sizeof(plaintext));
  std::string hex;
  CryptoPP::HexEncoder encoder(new CryptoPP::StringSink(hex), false);
  encoder.Put(sealed, sizeof(sealed));
  encoder.Put(tag, sizeof(tag));
  EXPECT_EQ(hex,
            "cea7403d4d606b6e074ec5d3baf39d18"
            "d0d1c8a799996bf0265b98b5d48ab919");
}

TEST(Cryptopp, HasCmacAndShake) {
  EXPECT_EQ(CryptoPP::CMAC<CryptoPP::AES>().DigestSize(), 16);
  EXPECT_EQ(CryptoPP::SHAKE128().AlgorithmName(), "SHAKE-128");
}

}  // namespace
