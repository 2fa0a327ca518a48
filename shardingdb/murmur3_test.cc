// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/murmur3.h"

#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "leveldb/slice.h"

namespace shardingdb {
namespace {

std::string Bytes32(uint32_t x) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(x >> (8 * i)));
  return bytes;
}

std::string Bytes128(const Hash128& hash) {
  return absl::StrCat(Bytes32(static_cast<uint32_t>(hash.first)),
                      Bytes32(static_cast<uint32_t>(hash.first >> 32)),
                      Bytes32(static_cast<uint32_t>(hash.second)),
                      Bytes32(static_cast<uint32_t>(hash.second >> 32)));
}

// The check of SMHasher, from which the hash comes: the hashes of the keys {},
// {0}, {0, 1}, ... of up to 255 bytes with the seeds 256, 255, 254, ...,
// concatenated and hashed with seed 0, begin with a published number.
TEST(Murmur3Test, Hash32PassesTheVerificationOfSMHasher) {
  std::string key;
  std::string hashes;
  for (uint32_t i = 0; i < 256; ++i) {
    hashes += Bytes32(Murmur3Hash32(key, 256 - i));
    key.push_back(static_cast<char>(i));
  }
  EXPECT_EQ(Murmur3Hash32(hashes, 0), 0xB0F57EE3U);
}

TEST(Murmur3Test, Hash128PassesTheVerificationOfSMHasher) {
  std::string key;
  std::string hashes;
  for (uint32_t i = 0; i < 256; ++i) {
    hashes += Bytes128(Murmur3Hash128(key, 256 - i));
    key.push_back(static_cast<char>(i));
  }
  EXPECT_EQ(static_cast<uint32_t>(Murmur3Hash128(hashes, 0).first),
            0x6384BA69U);
}

TEST(Murmur3Test, Hash32OfKnownInputs) {
  const std::string zeros(4, '\0');
  EXPECT_EQ(Murmur3Hash32("", 0), 0U);
  EXPECT_EQ(Murmur3Hash32("", 1), 0x514E28B7U);
  EXPECT_EQ(Murmur3Hash32("", 0xffffffffU), 0x81F16F39U);
  EXPECT_EQ(Murmur3Hash32("\xff\xff\xff\xff", 0), 0x76293B50U);
  EXPECT_EQ(Murmur3Hash32("\x21\x43\x65\x87", 0), 0xF55B516BU);
  EXPECT_EQ(Murmur3Hash32("\x21\x43\x65\x87", 0x5082EDEEU), 0x2362F9DEU);
  EXPECT_EQ(Murmur3Hash32("\x21\x43\x65", 0), 0x7E4A8634U);
  EXPECT_EQ(Murmur3Hash32("\x21\x43", 0), 0xA0F7B07AU);
  EXPECT_EQ(Murmur3Hash32("\x21", 0), 0x72661CF4U);
  EXPECT_EQ(Murmur3Hash32(leveldb::Slice(zeros.data(), 4), 0), 0x2362F9DEU);
  EXPECT_EQ(Murmur3Hash32(leveldb::Slice(zeros.data(), 3), 0), 0x85F0B427U);
  EXPECT_EQ(Murmur3Hash32(leveldb::Slice(zeros.data(), 2), 0), 0x30F4C306U);
  EXPECT_EQ(Murmur3Hash32(leveldb::Slice(zeros.data(), 1), 0), 0x514E28B7U);
  EXPECT_EQ(Murmur3Hash32("aaaa", 0x9747b28cU), 0x5A97808AU);
  EXPECT_EQ(Murmur3Hash32("Hello, world!", 0x9747b28cU), 0x24884CBAU);
  EXPECT_EQ(
      Murmur3Hash32("The quick brown fox jumps over the lazy dog", 0x9747b28cU),
      0x2FA826CDU);
}

TEST(Murmur3Test, Hash128OfKnownInputs) {
  const auto hash = [](const leveldb::Slice& data) {
    const Hash128 h = Murmur3Hash128(data, 0);
    return absl::StrFormat("%016x%016x", h.first, h.second);
  };
  EXPECT_EQ(hash(""), "00000000000000000000000000000000");
  EXPECT_EQ(hash("hello"), "cbd8a7b341bd9b025b1e906a48ae1d19");
  EXPECT_EQ(hash("hello, world"), "342fac623a5ebc8e4cdcbc079642414d");
  EXPECT_EQ(hash("The quick brown fox jumps over the lazy dog."),
            "cd99481f9ee902c9695da1a38987b6e7");
}

// Every tail length, bytes above 127 too, and data at any address.
TEST(Murmur3Test, DoesNotDependOnAlignment) {
  std::string text;
  for (int i = 0; i < 64; ++i) text.push_back(static_cast<char>(i * 37 + 120));
  for (size_t size = 0; size <= 48; ++size) {
    const Hash128 expected = Murmur3Hash128(text.substr(0, size), 7);
    const uint32_t expected32 = Murmur3Hash32(text.substr(0, size), 7);
    for (size_t shift = 1; shift < 16; ++shift) {
      const std::string moved = std::string(shift, 'x') + text.substr(0, size);
      const leveldb::Slice data(moved.data() + shift, size);
      EXPECT_EQ(Murmur3Hash128(data, 7).first, expected.first);
      EXPECT_EQ(Murmur3Hash128(data, 7).second, expected.second);
      EXPECT_EQ(Murmur3Hash32(data, 7), expected32);
    }
  }
}

}  // namespace
}  // namespace shardingdb
