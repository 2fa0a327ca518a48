// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/multiset_digest.h"

#include <string>

#include "absl/status/status.h"
#include "crypto/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::Ne;

EntryHash Hash(const std::string& key, const std::string& value) {
  Sha256 sha;
  return HashEntry(key, value, &sha);
}

MultisetDigest Of(std::initializer_list<EntryHash> hashes) {
  MultisetDigest digest;
  for (const EntryHash& hash : hashes) digest.Add(hash);
  return digest;
}

TEST(MultisetDigestTest, NothingIsZero) {
  EXPECT_EQ(MultisetDigest().entries(), 0);
  EXPECT_EQ(MultisetDigest().ToHex(), std::string(64, '0'));
}

// Computed with Python's hashlib: the sum of sha256(struct.pack("<I", len(k)) +
// k + struct.pack("<I", len(v)) + v), each read as a little-endian number.
TEST(MultisetDigestTest, HasTheValueThatItsDefinitionGives) {
  EXPECT_EQ(Of({Hash("", "")}).ToHex(),
            "fc3de8e08d32b2e54d1df9ba421ef50d0f660ac74baf8cf77a0b81a1f57055af");
  EXPECT_EQ(Of({Hash("key", "value"), Hash("", ""),
                Hash(std::string("\0\xff", 2), "")})
                .ToHex(),
            "6afbe0bfb0032de0fca518249c4f244ba242c8c15ff5fe698d790810c268a44f");
}

TEST(MultisetDigestTest, DoesNotDependOnTheOrder) {
  const EntryHash a = Hash("a", "1");
  const EntryHash b = Hash("b", "2");
  const EntryHash c = Hash("c", "3");
  EXPECT_EQ(Of({a, b, c}), Of({c, a, b}));
}

TEST(MultisetDigestTest, SumsOfPartsAreTheSumOfTheWhole) {
  const EntryHash a = Hash("a", "1");
  const EntryHash b = Hash("b", "2");
  const EntryHash c = Hash("c", "3");
  MultisetDigest sum = Of({a});
  sum.Add(Of({b, c}));
  EXPECT_EQ(sum, Of({a, b, c}));
  EXPECT_EQ(sum.entries(), 3);
}

TEST(MultisetDigestTest, CountsWhatIsThereTwice) {
  const EntryHash a = Hash("a", "1");
  const EntryHash b = Hash("b", "2");
  EXPECT_THAT(Of({a, a, b}).ToHex(), Ne(Of({b}).ToHex()));
  EXPECT_THAT(Of({a, a, b}).ToHex(), Ne(Of({a, b}).ToHex()));
}

TEST(MultisetDigestTest, KnowsWhereTheKeyEnds) {
  EXPECT_NE(Hash("ab", "c"), Hash("a", "bc"));
  EXPECT_NE(Hash("", "a"), Hash("a", ""));
}

TEST(MultisetDigestTest, CarriesThroughAllDigits) {
  EntryHash most;
  most.fill(0xff);
  EntryHash one = {};
  one[0] = 1;
  // 2^256 - 1 + 1.
  EXPECT_EQ(Of({most, one}).ToHex(), std::string(64, '0'));
  EXPECT_EQ(Of({most, most}).ToHex(), std::string(63, 'f') + "e");
  EntryHash low = {};
  for (int i = 0; i < 8; ++i) low[i] = 0xff;
  EXPECT_EQ(Of({low, one}).ToHex(),
            "0000000000000000000000000000000000000000000000010000000000000000");
}

TEST(MultisetDigestTest, IsReadBackFromItsText) {
  const MultisetDigest digest = Of({Hash("a", "1"), Hash("b", "2")});
  ASSERT_OK_AND_ASSIGN(const MultisetDigest parsed,
                       MultisetDigest::Parse(2, digest.ToHex()));
  EXPECT_EQ(parsed, digest);
}

TEST(MultisetDigestTest, RefusesTextThatIsNoDigest) {
  for (const std::string& text :
       {std::string(), std::string(63, '0'), std::string(65, '0'),
        std::string(63, '0') + "g", std::string(63, '0') + "A"}) {
    EXPECT_THAT(MultisetDigest::Parse(0, text),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
}

}  // namespace
}  // namespace shardingdb
