// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/any_size_gcm.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "crypto/aes_gcm_vectors_for_test.h"
#include "crypto/hex_for_test.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

constexpr absl::string_view kKey = "sixteen byte key";

TEST(AnySizeGcmTest, SealsAsAes256GcmDoes) {
  for (const AesGcmVector& vector : kGcmSpecificationVectors) {
    ASSERT_OK_AND_ASSIGN(
        const AnySizeGcm gcm,
        AnySizeGcm::New(FromHex(vector.key), FromHex(vector.nonce), 16));
    EXPECT_FALSE(gcm.has_own_counter());
    ASSERT_OK_AND_ASSIGN(
        const std::string sealed,
        gcm.Seal(FromHex(vector.associated_data), FromHex(vector.plaintext)));
    EXPECT_EQ(ToHex(sealed), std::string(vector.ciphertext) + vector.tag);
  }
}

TEST(AnySizeGcmTest, EverySizeOpensWhatItSealed) {
  for (size_t key_size : {16, 24, 32}) {
    for (size_t nonce_size : {1, 8, 12, 16, 300}) {
      for (size_t tag_size : {4, 8, 12, 13, 14, 15, 16}) {
        const std::string key(key_size, 'k');
        const std::string nonce(nonce_size, 'n');
        ASSERT_OK_AND_ASSIGN(const AnySizeGcm gcm,
                             AnySizeGcm::New(key, nonce, tag_size));
        ASSERT_OK_AND_ASSIGN(std::string sealed, gcm.Seal("data", "plaintext"));
        EXPECT_EQ(sealed.size(), 9 + tag_size);
        ASSERT_OK_AND_ASSIGN(const std::string opened,
                             gcm.Open("data", sealed));
        EXPECT_EQ(opened, "plaintext");
        for (size_t i = 0; i < sealed.size(); ++i) {
          sealed[i] ^= 1;
          EXPECT_THAT(gcm.Open("data", sealed),
                      StatusIs(absl::StatusCode::kDataLoss));
          sealed[i] ^= 1;
        }
        EXPECT_THAT(gcm.Open("Data", sealed),
                    StatusIs(absl::StatusCode::kDataLoss));
      }
    }
  }
}

TEST(AnySizeGcmTest, OurCounterCountsAsTheLibrarysDoes) {
  for (size_t nonce_size : {1, 12, 16, 33}) {
    for (size_t size : {0, 1, 16, 17, 100, 5000}) {
      const std::string plaintext(size, 'p');
      ASSERT_OK_AND_ASSIGN(
          AnySizeGcm gcm,
          AnySizeGcm::New(kKey, std::string(nonce_size, 'n'), 16));
      ASSERT_FALSE(gcm.has_own_counter());
      ASSERT_OK_AND_ASSIGN(const std::string sealed,
                           gcm.Seal("data", plaintext));
      gcm.UseOwnCounterForTest();
      ASSERT_OK_AND_ASSIGN(const std::string again,
                           gcm.Seal("data", plaintext));
      EXPECT_EQ(ToHex(again), ToHex(sealed));
      ASSERT_OK_AND_ASSIGN(const std::string opened, gcm.Open("data", sealed));
      EXPECT_EQ(opened, plaintext);
      EXPECT_THAT(gcm.Open("Data", sealed),
                  StatusIs(absl::StatusCode::kDataLoss));
    }
  }
}

// Project Wycheproof, aes_gcm_test.json, tcId 191 in the version of 256 tests.
TEST(AnySizeGcmTest, ANonceWhoseHashEndsWithFourBytesFf) {
  ASSERT_OK_AND_ASSIGN(
      const AnySizeGcm gcm,
      AnySizeGcm::New(FromHex("00112233445566778899aabbccddeeff"
                              "102132435465768798a9bacbdcedfe0f"),
                      FromHex("ecd52120af240e9b4bf3b9d1eeb49434"), 16));
  EXPECT_TRUE(gcm.has_own_counter());
  ASSERT_OK_AND_ASSIGN(const std::string sealed,
                       gcm.Seal("", std::string(40, '\0')));
  EXPECT_EQ(ToHex(sealed),
            "36b3fbecd09178d04527fb37544f5579d20d60a41266f685c48098e1a52804ca"
            "387d90709d3268dd033e0ef2953ebfd8425737c7d393f89a");
  ASSERT_OK_AND_ASSIGN(const std::string opened, gcm.Open("", sealed));
  EXPECT_EQ(opened, std::string(40, '\0'));
}

TEST(AnySizeGcmTest, ATagOfAnotherSizeDoesNotOpen) {
  ASSERT_OK_AND_ASSIGN(const AnySizeGcm gcm,
                       AnySizeGcm::New(kKey, "nonce", 16));
  ASSERT_OK_AND_ASSIGN(const std::string sealed, gcm.Seal("", "plaintext"));
  ASSERT_OK_AND_ASSIGN(const AnySizeGcm shorter,
                       AnySizeGcm::New(kKey, "nonce", 12));
  EXPECT_THAT(shorter.Open("", sealed), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(gcm.Open("", "short"), StatusIs(absl::StatusCode::kDataLoss));
}

TEST(AnySizeGcmTest, SizesThatGcmDoesNotHaveAreRefused) {
  const auto expect_refused = [](absl::string_view key, absl::string_view nonce,
                                 size_t tag_size) {
    EXPECT_THAT(AnySizeGcm::New(key, nonce, tag_size),
                StatusIs(absl::StatusCode::kInvalidArgument));
  };
  expect_refused("", "nonce", 16);
  expect_refused("seventeen byte key", "nonce", 16);
  expect_refused(std::string(33, 'k'), "nonce", 16);
  expect_refused(kKey, "", 16);
  for (size_t tag_size : {0, 3, 5, 7, 9, 11, 17}) {
    expect_refused(kKey, "nonce", tag_size);
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
