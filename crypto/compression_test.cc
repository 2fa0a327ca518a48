// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/compression.h"

#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "crypto/hex_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;

std::string RandomBytes(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes;
  for (size_t i = 0; i < size; ++i)
    bytes.push_back(static_cast<char>(random() & 0xff));
  return bytes;
}

class CompressionTest : public ::testing::TestWithParam<Compression> {};

INSTANTIATE_TEST_SUITE_P(All, CompressionTest,
                         ::testing::Values(Compression::kSnappy,
                                           Compression::kZstd));

TEST_P(CompressionTest, RoundTripsWhatCompresses) {
  std::string compressed;
  std::string plaintext = "what was here before";
  for (const size_t size : {128, 1000, 65536, 1 << 20}) {
    // Half of it compresses.
    const std::string value =
        RandomBytes(size / 2, 1) + std::string(size - size / 2, 'z');
    ASSERT_TRUE(CompressIfSmaller(GetParam(), value, &compressed)) << size;
    EXPECT_LE(compressed.size(), value.size() / 8 * 7);
    const absl::Status status = Decompress(GetParam(), compressed, &plaintext);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(plaintext, value);
  }
}

TEST_P(CompressionTest, WhatIsShortOrDoesNotCompressStaysAsItIs) {
  std::string compressed;
  EXPECT_FALSE(CompressIfSmaller(GetParam(), "", &compressed));
  EXPECT_FALSE(
      CompressIfSmaller(GetParam(), std::string(127, 'z'), &compressed));
  EXPECT_TRUE(
      CompressIfSmaller(GetParam(), std::string(128, 'z'), &compressed));
  EXPECT_FALSE(
      CompressIfSmaller(GetParam(), RandomBytes(1000, 2), &compressed));
  // Less than an eighth is saved.
  EXPECT_FALSE(CompressIfSmaller(
      GetParam(), RandomBytes(920, 3) + std::string(80, 'z'), &compressed));
}

TEST_P(CompressionTest, DamageIsAnErrorOrAnotherValueButNeverACrash) {
  const std::string value = RandomBytes(100, 4) + std::string(400, 'z');
  std::string compressed;
  ASSERT_TRUE(CompressIfSmaller(GetParam(), value, &compressed));
  std::string plaintext;
  for (size_t size = 0; size < compressed.size(); ++size) {
    EXPECT_EQ(
        Decompress(GetParam(), compressed.substr(0, size), &plaintext).code(),
        absl::StatusCode::kDataLoss)
        << size;
  }
  for (size_t bit = 0; bit < 8 * compressed.size(); ++bit) {
    std::string changed = compressed;
    changed[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    const absl::Status status = Decompress(GetParam(), changed, &plaintext);
    EXPECT_TRUE(status.ok() || absl::IsDataLoss(status)) << status;
  }
}

// What is on disks: 128 letters a.
TEST(CompressionTest, GoldenBytes) {
  std::string plaintext;
  ASSERT_TRUE(Decompress(Compression::kSnappy, FromHex("80010061fe0100fa0100"),
                         &plaintext)
                  .ok());
  EXPECT_EQ(plaintext, std::string(128, 'a'));
  // Magic number, a header with a content size of one byte, and one block of
  // type RLE, the last.
  ASSERT_TRUE(Decompress(Compression::kZstd, FromHex("28b52ffd208003040061"),
                         &plaintext)
                  .ok());
  EXPECT_EQ(plaintext, std::string(128, 'a'));
}

// A length that the bytes cannot expand to is refused before it is allocated.
TEST(CompressionTest, ForgedLengths) {
  std::string plaintext;
  const absl::Status snappy =
      Decompress(Compression::kSnappy, FromHex("ffffffff0f0061"), &plaintext);
  EXPECT_EQ(snappy.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(snappy.message()), HasSubstr("too long a length"));
  const absl::Status zstd = Decompress(
      Compression::kZstd, FromHex("28b52ffda0ffffffff03040061"), &plaintext);
  EXPECT_EQ(zstd.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(zstd.message()), HasSubstr("too long a length"));
  // As many bytes as could expand to 5,000,000,000; but no entry is that long.
  const std::string block =
      FromHex("00350c") + std::string(100000, 'r');  // raw, not the last
  const absl::Status huge = Decompress(
      Compression::kZstd,
      FromHex("28b52ffde000f2052a01000000") + block + block + FromHex("010000"),
      &plaintext);
  EXPECT_EQ(huge.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(huge.message()), HasSubstr("too long a length"));
  EXPECT_LT(plaintext.capacity(), size_t{1} << 20);
}

// One frame of RFC 8878 that tells its content size, whatever else the library
// reads.
TEST(CompressionTest, NothingButOneZstdFrame) {
  const std::string frame = "28b52ffd200529000068656c6c6f";
  const std::string skippable = "502a4d1804000000736b6970";
  const std::string nothing = "28b52ffd2000010000";
  std::string plaintext;
  ASSERT_TRUE(Decompress(Compression::kZstd, FromHex(frame), &plaintext).ok());
  EXPECT_EQ(plaintext, "hello");
  ASSERT_TRUE(
      Decompress(Compression::kZstd, FromHex(nothing), &plaintext).ok());
  EXPECT_EQ(plaintext, "");
  struct Other {
    std::string bytes;
    std::string message;
  };
  const std::vector<Other> others = {
      {"", "no frame"},
      {skippable, "no frame"},
      {"502a4d1800000000" + frame, "no frame"},
      // As zstd 0.7 made it.
      {"27b52ffd200540000568656c6c6fc00000", "no frame"},
      {frame + frame, "not one whole frame"},
      {frame + nothing, "not one whole frame"},
      {frame + skippable, "not one whole frame"},
      {frame + "00", "not one whole frame"},
      {frame.substr(0, frame.size() - 2), "not one whole frame"},
      {"28b52ffd000003040061", "no length"},
      // A dictionary that nobody has, and a checksum that is another's.
      {"28b52ffd21010529000068656c6c6f", "not what zstd makes"},
      {"28b52ffd240529000068656c6c6f00000000", "not what zstd makes"}};
  for (const Other& other : others) {
    const absl::Status status =
        Decompress(Compression::kZstd, FromHex(other.bytes), &plaintext);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << other.bytes;
    EXPECT_THAT(std::string(status.message()), HasSubstr(other.message))
        << other.bytes;
  }
}

TEST(CompressionTest, NoneIsNothingToDecompress) {
  std::string bytes;
  EXPECT_FALSE(
      CompressIfSmaller(Compression::kNone, std::string(500, 'z'), &bytes));
  EXPECT_EQ(Decompress(Compression::kNone, "abc", &bytes).code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace shardingdb::crypto_internal
