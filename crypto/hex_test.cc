// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/hex.h"

#include <optional>
#include <string>

#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

TEST(HexTest, EveryByteThereAndBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  const std::string hex = EncodeHex(bytes);
  EXPECT_EQ(hex.substr(0, 8), "00010203");
  EXPECT_EQ(hex.substr(504), "fcfdfeff");
  EXPECT_EQ(DecodeHex(hex), bytes);
  const std::optional<SecretBytes> secret = DecodeSecretHex(hex);
  ASSERT_TRUE(secret.has_value());
  EXPECT_EQ(secret->reveal(), bytes);
  EXPECT_EQ(DecodeHex(""), "");
}

TEST(HexTest, AFileHasOneSpellingAndPeopleHaveTwo) {
  EXPECT_FALSE(DecodeHex("0A").has_value());
  EXPECT_EQ(DecodeHex("0a"), "\n");
  ASSERT_TRUE(DecodeSecretHex("0A").has_value());
  EXPECT_EQ(DecodeSecretHex("0A")->reveal(), "\n");
}

TEST(HexTest, WhatIsNoHexIsRefused) {
  for (const char* text : {"0", "0g", "g0", " 00", "0x", "00 ", "000", "-1"}) {
    EXPECT_FALSE(DecodeHex(text).has_value()) << text;
    EXPECT_FALSE(DecodeSecretHex(text).has_value()) << text;
  }
  EXPECT_FALSE(DecodeHex(std::string("0\0", 2)).has_value());
}

}  // namespace
}  // namespace shardingdb::crypto_internal
