// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/sha256.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "crypto/hex_for_test.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

std::string Hex(const Sha256::Digest& digest) {
  return crypto_internal::ToHex(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

// NIST, "Cryptographic Standards and Guidelines: Example Values" for FIPS 180-4
// (one block, two blocks), FIPS 180-2 appendix B.3 (a million a), and the NIST
// CAVP vector of the empty message.
struct Vector {
  std::string text;
  std::string digest;
};
const std::vector<Vector>& Vectors() {
  static const auto* vectors = new std::vector<Vector>{
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc",
       "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
       "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1000000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  return *vectors;
}

TEST(Sha256Test, PublishedVectors) {
  for (const Vector& vector : Vectors()) {
    EXPECT_EQ(Hex(Sha256::Of(vector.text)), vector.digest);
    Sha256 hash;
    hash.Update(vector.text);
    EXPECT_EQ(Hex(hash.Finish()), vector.digest);
  }
}

TEST(Sha256Test, ItMakesNoDifferenceWhereTheTextIsCut) {
  const Vector& vector = Vectors()[3];
  for (size_t cut = 0; cut <= vector.text.size(); ++cut) {
    Sha256 hash;
    hash.Update(absl::string_view(vector.text).substr(0, cut));
    hash.Update("");
    hash.Update(absl::string_view(vector.text).substr(cut));
    EXPECT_EQ(Hex(hash.Finish()), vector.digest) << cut;
  }
}

TEST(Sha256Test, BeginsAnewAfterFinish) {
  Sha256 hash;
  hash.Update("something else");
  hash.Finish();
  EXPECT_EQ(Hex(hash.Finish()), Vectors()[0].digest);
  hash.Update("abc");
  EXPECT_EQ(Hex(hash.Finish()), Vectors()[1].digest);
}

TEST(Sha256Test, MovesWithWhatItHasTaken) {
  Sha256 first;
  first.Update("a");
  Sha256 second(std::move(first));
  second.Update("b");
  Sha256 third;
  third = std::move(second);
  third.Update("c");
  EXPECT_EQ(Hex(third.Finish()), Vectors()[1].digest);
}

}  // namespace
}  // namespace shardingdb
