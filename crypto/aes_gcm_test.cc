// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/aes_gcm.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/aes_gcm_vectors_for_test.h"
#include "crypto/hex_for_test.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

const std::string& TestKey() {
  static const auto* key = new std::string(32, 'k');
  return *key;
}
constexpr absl::string_view kNonce = "0123456789ab";

absl::StatusOr<std::string> Seal(AesGcmSealer& sealer, absl::string_view nonce,
                                 absl::string_view associated_data,
                                 absl::string_view plaintext) {
  std::string sealed(plaintext.size() + kAesGcmTagSize, '?');
  absl::Status status =
      sealer.Seal(nonce, associated_data, plaintext, &sealed[0]);
  if (!status.ok()) return status;
  return sealed;
}

// Where it fails, checks as well that no plaintext was left behind.
absl::StatusOr<std::string> Open(AesGcmOpener& opener, absl::string_view nonce,
                                 absl::string_view associated_data,
                                 absl::string_view sealed) {
  std::string plaintext(sealed.size() - std::min(sealed.size(), kAesGcmTagSize),
                        '?');
  const std::string untouched = plaintext;
  absl::Status status =
      opener.Open(nonce, associated_data, sealed, &plaintext[0]);
  if (status.ok()) return plaintext;
  EXPECT_TRUE(plaintext == untouched ||
              plaintext == std::string(plaintext.size(), '\0'));
  return status;
}

AesGcmSealer Sealer(absl::string_view key) {
  absl::StatusOr<AesGcmSealer> sealer = AesGcmSealer::New(key);
  EXPECT_TRUE(sealer.ok()) << sealer.status();
  return *std::move(sealer);
}

AesGcmOpener Opener(absl::string_view key) {
  absl::StatusOr<AesGcmOpener> opener = AesGcmOpener::New(key);
  EXPECT_TRUE(opener.ok()) << opener.status();
  return *std::move(opener);
}

void ExpectHolds(const AesGcmVector& vector) {
  SCOPED_TRACE(vector.number);
  const std::string nonce = FromHex(vector.nonce);
  const std::string associated_data = FromHex(vector.associated_data);
  const std::string plaintext = FromHex(vector.plaintext);
  const std::string sealed = FromHex(vector.ciphertext) + FromHex(vector.tag);
  AesGcmSealer sealer = Sealer(FromHex(vector.key));
  AesGcmOpener opener = Opener(FromHex(vector.key));
  // Twice: a context that has been used works like a new one.
  for (int i = 0; i < 2; ++i) {
    absl::StatusOr<std::string> got =
        Seal(sealer, nonce, associated_data, plaintext);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(ToHex(*got), ToHex(sealed));
    got = Open(opener, nonce, associated_data, sealed);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(ToHex(*got), vector.plaintext);
  }
  // Every bit of the tag counts.
  for (size_t bit = 0; bit < 8 * kAesGcmTagSize; ++bit) {
    std::string changed = sealed;
    changed[plaintext.size() + bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_EQ(Open(opener, nonce, associated_data, changed).status().code(),
              absl::StatusCode::kDataLoss)
        << "bit " << bit << " of the tag";
  }
}

TEST(AesGcmTest, VectorsOfTheSpecification) {
  for (const AesGcmVector& vector : kGcmSpecificationVectors) {
    ExpectHolds(vector);
  }
}

TEST(AesGcmTest, VectorsOfWycheproof) {
  for (const AesGcmVector& vector : kWycheproofVectors) ExpectHolds(vector);
  ExpectHolds(kWycheproofModified);
}

TEST(AesGcmTest, ModifiedTagsOfWycheproof) {
  const AesGcmVector& base = kWycheproofModified;
  AesGcmOpener opener = Opener(FromHex(base.key));
  for (const AesGcmModifiedTag& modified : kWycheproofModifiedTags) {
    EXPECT_EQ(Open(opener, FromHex(base.nonce), FromHex(base.associated_data),
                   FromHex(base.ciphertext) + FromHex(modified.tag))
                  .status()
                  .code(),
              absl::StatusCode::kDataLoss)
        << modified.number;
  }
}

TEST(AesGcmTest, EveryBitAndEveryLengthCount) {
  AesGcmSealer sealer = Sealer(TestKey());
  AesGcmOpener opener = Opener(TestKey());
  for (size_t size : {0, 1, 15, 16, 17, 33}) {
    const std::string plaintext(size, 'p');
    absl::StatusOr<std::string> sealed =
        Seal(sealer, kNonce, "data", plaintext);
    ASSERT_TRUE(sealed.ok()) << sealed.status();
    for (size_t bit = 0; bit < 8 * sealed->size(); ++bit) {
      std::string changed = *sealed;
      changed[bit / 8] ^= static_cast<char>(1 << (bit % 8));
      EXPECT_EQ(Open(opener, kNonce, "data", changed).status().code(),
                absl::StatusCode::kDataLoss)
          << size << " bytes, bit " << bit;
    }
    for (size_t left = 0; left < sealed->size(); ++left) {
      EXPECT_EQ(
          Open(opener, kNonce, "data", sealed->substr(0, left)).status().code(),
          absl::StatusCode::kDataLoss)
          << size << " bytes, cut to " << left;
    }
    EXPECT_EQ(Open(opener, kNonce, "data", *sealed + '\0').status().code(),
              absl::StatusCode::kDataLoss);
    // After all these failures the context still opens what is right.
    absl::StatusOr<std::string> opened = Open(opener, kNonce, "data", *sealed);
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(*opened, plaintext);
  }
}

TEST(AesGcmTest, NonceAndAssociatedDataAreBound) {
  AesGcmSealer sealer = Sealer(TestKey());
  AesGcmOpener opener = Opener(TestKey());
  absl::StatusOr<std::string> sealed = Seal(sealer, kNonce, "data", "text");
  ASSERT_TRUE(sealed.ok()) << sealed.status();
  for (absl::string_view other : {"", "dat", "data ", "Data"}) {
    EXPECT_EQ(Open(opener, kNonce, other, *sealed).status().code(),
              absl::StatusCode::kDataLoss)
        << other;
  }
  EXPECT_EQ(Open(opener, "0123456789aB", "data", *sealed).status().code(),
            absl::StatusCode::kDataLoss);
  AesGcmOpener other = Opener(std::string(31, 'k') + 'K');
  EXPECT_EQ(Open(other, kNonce, "data", *sealed).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST(AesGcmTest, LongTextsAndLongAssociatedData) {
  AesGcmSealer sealer = Sealer(TestKey());
  AesGcmOpener opener = Opener(TestKey());
  for (size_t size : {1000, 4096, 65535, 1 << 20, (16 << 20) + 3}) {
    std::string plaintext(size, '\0');
    for (size_t i = 0; i < size; ++i) plaintext[i] = static_cast<char>(i * 7);
    const std::string associated_data(size / 3, 'a');
    absl::StatusOr<std::string> sealed =
        Seal(sealer, kNonce, associated_data, plaintext);
    ASSERT_TRUE(sealed.ok()) << sealed.status();
    absl::StatusOr<std::string> opened =
        Open(opener, kNonce, associated_data, *sealed);
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_TRUE(*opened == plaintext) << size;
    (*sealed)[size / 2] ^= 1;
    EXPECT_EQ(Open(opener, kNonce, associated_data, *sealed).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

TEST(AesGcmTest, WrongSizesAreRefused) {
  for (size_t size : {0, 1, 16, 24, 31, 33, 64}) {
    EXPECT_EQ(AesGcmSealer::New(std::string(size, 'k')).status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(AesGcmOpener::New(std::string(size, 'k')).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  AesGcmSealer sealer = Sealer(TestKey());
  AesGcmOpener opener = Opener(TestKey());
  for (size_t size : {0, 8, 11, 13, 16}) {
    const std::string nonce(size, 'n');
    EXPECT_EQ(Seal(sealer, nonce, "", "text").status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(Open(opener, nonce, "", std::string(20, 's')).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(AesGcmTest, MoreThanTheModeAllowsIsRefusedUnread) {
  AesGcmSealer sealer = Sealer(TestKey());
  AesGcmOpener opener = Opener(TestKey());
  char byte = 'x';
  // Views of memory that is not there: nobody may look.
  const absl::string_view longer(&byte, kAesGcmMaxPlaintextSize + 1);
  EXPECT_EQ(sealer.Seal(kNonce, "", longer, &byte).code(),
            absl::StatusCode::kInvalidArgument);
  const absl::string_view sealed(&byte, longer.size() + kAesGcmTagSize);
  EXPECT_EQ(opener.Open(kNonce, "", sealed, &byte).code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace shardingdb::crypto_internal
