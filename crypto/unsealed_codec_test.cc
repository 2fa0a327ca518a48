// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/unsealed_codec.h"

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "crypto/compression.h"
#include "crypto/hex_for_test.h"
#include "crypto/key_ring.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using crypto_internal::FromHex;
using ::testing::HasSubstr;

std::string Stored(const Aead& codec, const std::string& value) {
  std::string stored = "in front";
  EXPECT_OK(codec.Seal(value, "key", &stored));
  EXPECT_EQ(stored.substr(0, 8), "in front");
  return stored.substr(8);
}

// The message of an error; `opened` has to be empty then.
std::string Refusal(const Aead& codec, const std::string& stored,
                    const std::string& key = "key") {
  std::string opened = "what was here before";
  const absl::Status status = codec.Open(stored, key, &opened);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_EQ(opened, "");
  return std::string(status.message());
}

class UnsealedCodecTest : public ::testing::TestWithParam<Compression> {};

INSTANTIATE_TEST_SUITE_P(All, UnsealedCodecTest,
                         ::testing::Values(Compression::kNone,
                                           Compression::kSnappy,
                                           Compression::kZstd));

TEST_P(UnsealedCodecTest, OpensWhateverWayItWasStored) {
  const UnsealedCodec codec(GetParam());
  const UnsealedCodec other(Compression::kSnappy);
  for (const size_t size : {0, 1, 127, 128, 1000, 100000}) {
    const std::string value(size, 'z');
    const std::string stored = Stored(codec, value);
    for (const UnsealedCodec* reader : {&codec, &other}) {
      std::string opened = "what was here before";
      ASSERT_OK(reader->Open(stored, "key", &opened));
      EXPECT_EQ(opened, value);
    }
  }
}

TEST_P(UnsealedCodecTest, CompressesWhereThatSavesSpace) {
  const UnsealedCodec codec(GetParam());
  const bool compresses = GetParam() != Compression::kNone;
  EXPECT_EQ(Stored(codec, std::string(1000, 'z')).size() < 200, compresses);
  EXPECT_EQ(Stored(codec, std::string(127, 'z')).size(),
            127 + UnsealedCodec::kOverhead);
}

TEST_P(UnsealedCodecTest, EveryBitEveryLengthAndTheKeyCount) {
  const UnsealedCodec codec(GetParam());
  const std::string stored = Stored(codec, std::string(200, 'z'));
  for (size_t bit = 0; bit < 8 * stored.size(); ++bit) {
    std::string changed = stored;
    changed[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_NE(Refusal(codec, changed), "") << bit;
  }
  for (size_t size = 0; size < stored.size(); ++size) {
    EXPECT_NE(Refusal(codec, stored.substr(0, size)), "") << size;
  }
  EXPECT_THAT(Refusal(codec, stored, "another key"),
              HasSubstr("the checksum is wrong"));
  // The border between key and value counts too.
  EXPECT_NE(Refusal(codec, stored, "ke"), "");
}

TEST(UnsealedCodecTest, SaysWhatItDoesNotTake) {
  const UnsealedCodec codec(Compression::kSnappy);
  EXPECT_THAT(Refusal(codec, ""), HasSubstr("too short: 0 bytes"));
  EXPECT_THAT(Refusal(codec, "plain value"), HasSubstr("unknown version 112"));
  EXPECT_THAT(Refusal(codec, FromHex("010000")),
              HasSubstr("too short: 3 bytes"));
  EXPECT_THAT(Refusal(codec, FromHex("010800000000")),
              HasSubstr("unknown flags 0x08"));
  EXPECT_THAT(Refusal(codec, FromHex("010300000000")),
              HasSubstr("unknown compression 3"));
  EXPECT_THAT(Refusal(codec, FromHex("010000000000")),
              HasSubstr("the checksum is wrong"));
}

// Neither takes what the other makes.
TEST(UnsealedCodecTest, SealedAndUnsealedAreNotMistaken) {
  const auto ring = KeyRing::Generate();
  ASSERT_OK(ring.status());
  const UnsealedCodec codec(Compression::kNone);
  const std::string value(100, 'v');
  EXPECT_THAT(Refusal(codec, Stored(**ring, value)), HasSubstr("is sealed"));
  EXPECT_THAT(Refusal(**ring, Stored(codec, value)), HasSubstr("not sealed"));
}

// What is on disks; the checksums were computed with another implementation.
TEST(UnsealedCodecTest, WhatItHasMadeIsToldByTheChecksumAlone) {
  const UnsealedCodec codec(Compression::kZstd);
  std::string stored;
  ASSERT_TRUE(codec.Seal(std::string(1000, 'z'), "key", &stored).ok());
  EXPECT_TRUE(UnsealedCodec::HasMade(stored, "key"));
  EXPECT_FALSE(UnsealedCodec::HasMade(stored, "other key"));
  EXPECT_FALSE(UnsealedCodec::HasMade("", "key"));
  for (size_t bit = 0; bit < 8 * stored.size(); ++bit) {
    std::string changed = stored;
    changed[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_FALSE(UnsealedCodec::HasMade(changed, "key")) << bit;
  }
}

TEST(UnsealedCodecTest, GoldenBytes) {
  const UnsealedCodec codec(Compression::kSnappy);
  std::string opened;
  ASSERT_OK(codec.Open(FromHex("010023744d7976616c7565"), "user-key", &opened));
  EXPECT_EQ(opened, "value");
  ASSERT_OK(codec.Open(FromHex("010101de6b6380010061fe0100fa0100"), "user-key",
                       &opened));
  EXPECT_EQ(opened, std::string(128, 'a'));
}

}  // namespace
}  // namespace shardingdb
