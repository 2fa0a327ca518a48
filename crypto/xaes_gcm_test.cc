// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/xaes_gcm.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "crypto/hex_for_test.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

// The two worked vectors of the specification; in the first the most
// significant bit of L is 0, in the second it is 1.
struct WorkedVector {
  char key_byte;
  absl::string_view associated_data;
  absl::string_view sealed;
};
constexpr absl::string_view kNonce = "ABCDEFGHIJKLMNOPQRSTUVWX";
constexpr absl::string_view kPlaintext = "XAES-256-GCM";
constexpr WorkedVector kWorkedVectors[] = {
    {1, "", "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271"},
    {3, "c2sp.org/XAES-256-GCM",
     "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d"},
};

TEST(XaesGcmTest, WorkedVectorsOfTheSpecification) {
  for (const WorkedVector& vector : kWorkedVectors) {
    const std::string key(kXaesKeySize, vector.key_byte);
    std::string sealed(kPlaintext.size() + kXaesTagSize, '?');
    absl::Status status =
        XaesSeal(key, kNonce, vector.associated_data, kPlaintext, &sealed[0]);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(ToHex(sealed), vector.sealed);
    std::string opened(kPlaintext.size(), '?');
    status = XaesOpen(key, kNonce, vector.associated_data, sealed, &opened[0]);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(opened, kPlaintext);
  }
}

// The same with the derived key kept, which is how it is used.
TEST(XaesGcmTest, ADerivedKeyOpensManyMessages) {
  const std::string key(kXaesKeySize, 1);
  XaesPrefix prefix;
  kNonce.copy(prefix.data(), prefix.size());
  absl::StatusOr<AesGcmSealer> sealer = DeriveXaesSealer(key, prefix);
  ASSERT_TRUE(sealer.ok()) << sealer.status();
  absl::StatusOr<AesGcmOpener> opener = DeriveXaesOpener(key, prefix);
  ASSERT_TRUE(opener.ok()) << opener.status();
  std::string nonce(kNonce);
  for (int i = 0; i < 100; ++i) {
    nonce.back() = static_cast<char>(i);
    std::string expected(kPlaintext.size() + kXaesTagSize, '?');
    ASSERT_TRUE(XaesSeal(key, nonce, "data", kPlaintext, &expected[0]).ok());
    std::string sealed = expected;
    const absl::string_view rest =
        absl::string_view(nonce).substr(kXaesPrefixSize);
    ASSERT_TRUE(sealer->Seal(rest, "data", kPlaintext, &sealed[0]).ok());
    EXPECT_EQ(ToHex(sealed), ToHex(expected));
    std::string opened(kPlaintext.size(), '?');
    ASSERT_TRUE(opener->Open(rest, "data", sealed, &opened[0]).ok());
    EXPECT_EQ(opened, kPlaintext);
  }
}

TEST(XaesGcmTest, EveryBitOfTheNonceCounts) {
  const std::string key(kXaesKeySize, 1);
  const std::string sealed = FromHex(kWorkedVectors[0].sealed);
  for (size_t bit = 0; bit < 8 * kXaesNonceSize; ++bit) {
    std::string nonce(kNonce);
    nonce[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    std::string opened(kPlaintext.size(), '?');
    EXPECT_EQ(XaesOpen(key, nonce, "", sealed, &opened[0]).code(),
              absl::StatusCode::kDataLoss)
        << bit;
    EXPECT_EQ(opened, std::string(kPlaintext.size(), '\0'));
  }
}

TEST(XaesGcmTest, WrongSizesAreRefused) {
  const std::string key(kXaesKeySize, 1);
  std::string out(100, '?');
  for (size_t size : {0, 12, 23, 25}) {
    const std::string nonce(size, 'n');
    EXPECT_EQ(XaesSeal(key, nonce, "", "text", &out[0]).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(XaesOpen(key, nonce, "", std::string(20, 's'), &out[0]).code(),
              absl::StatusCode::kInvalidArgument);
  }
  for (size_t size : {0, 16, 31, 33}) {
    const std::string wrong(size, 'k');
    EXPECT_EQ(XaesSeal(wrong, kNonce, "", "text", &out[0]).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(XaesOpen(wrong, kNonce, "", std::string(20, 's'), &out[0]).code(),
              absl::StatusCode::kInvalidArgument);
  }
  for (size_t size = 0; size < kXaesTagSize; ++size) {
    EXPECT_EQ(XaesOpen(key, kNonce, "", std::string(size, 's'), &out[0]).code(),
              absl::StatusCode::kDataLoss);
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
