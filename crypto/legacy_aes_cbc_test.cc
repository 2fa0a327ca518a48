// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/legacy_aes_cbc.h"

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "crypto/file_for_test.h"
#include "crypto/hex_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::shardingdb::crypto_internal::FromHex;
using ::shardingdb::crypto_internal::PutFile;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kKey[] = "1234567890123456";

// Computed with another implementation (openssl enc -aes-128-cbc).
constexpr char kShort[] = "ff4cd81a245b6d47a03fc547b52ea2fb";
constexpr char kBlock[] =
    "ddbd81998cce01366ef685155b631f5e7f4c66083a57043679691b46ee2386d8";

std::shared_ptr<const Aead> Legacy() {
  return NewLegacyAesCbc(SecretBytes(kKey)).value();
}

std::string WithVector(const char* hex) {
  return std::string(16, '\0') + FromHex(hex);
}

TEST(LegacyAesCbcTest, GoldenBytes) {
  std::string value = "before";
  EXPECT_OK(Legacy()->Open(WithVector(kShort), "any key", &value));
  EXPECT_EQ(value, "value");
  EXPECT_OK(Legacy()->Open(WithVector(kBlock), "", &value));
  EXPECT_EQ(value, "sixteen bytes...");
}

TEST(LegacyAesCbcTest, AnEmptyValueIsStoredEmpty) {
  std::string value = "before";
  EXPECT_OK(Legacy()->Open("", "key", &value));
  EXPECT_EQ(value, "");
}

TEST(LegacyAesCbcTest, SealsNothing) {
  std::string sealed = "before";
  EXPECT_THAT(Legacy()->Seal("value", "key", &sealed),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("for reading old values only")));
  EXPECT_EQ(sealed, "before");
}

void ExpectDoesNotOpen(const std::string& sealed, const std::string& why) {
  std::string value = "before";
  EXPECT_THAT(Legacy()->Open(sealed, "key", &value),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(why)));
  EXPECT_EQ(value, "");
}

TEST(LegacyAesCbcTest, EveryTruncationIsNoticed) {
  const std::string sealed = WithVector(kBlock);
  for (size_t size = 1; size < 32; ++size) {
    ExpectDoesNotOpen(sealed.substr(0, size), "too short");
  }
  // What is left ends in the middle of the text.
  ExpectDoesNotOpen(sealed.substr(0, 32), "padding");
  for (size_t size = 33; size < 48; ++size) {
    ExpectDoesNotOpen(sealed.substr(0, size), "no whole number of blocks");
  }
}

TEST(LegacyAesCbcTest, WhatIsOfAnotherOriginIsNoticed) {
  std::string sealed = WithVector(kShort);
  sealed[3] = 1;
  ExpectDoesNotOpen(sealed, "initialization vector");
  ExpectDoesNotOpen(std::string(48, 'x'), "initialization vector");
  ExpectDoesNotOpen(std::string(48, '\0'), "padding");
}

TEST(LegacyAesCbcTest, TheWrongKeyIsNoticedByThePadding) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const Aead> wrong,
                       NewLegacyAesCbc(SecretBytes("6543210987654321")));
  std::string value;
  EXPECT_THAT(wrong->Open(WithVector(kShort), "", &value),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("padding")));
}

TEST(LegacyAesCbcTest, KeysHaveOneOfThreeSizes) {
  for (size_t size = 0; size <= 40; ++size) {
    const absl::StatusCode code = size == 16 || size == 24 || size == 32
                                      ? absl::StatusCode::kOk
                                      : absl::StatusCode::kInvalidArgument;
    EXPECT_EQ(
        NewLegacyAesCbc(SecretBytes(std::string(size, 'k'))).status().code(),
        code)
        << size;
  }
}

TEST(LegacyAesCbcTest, AKeyFileHoldsTheKeyAndNothingElse) {
  TempDir dir;
  const std::string path = dir.Join("key");
  EXPECT_THAT(LegacyAesCbcFromFile(path),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path)));
  PutFile(path, kKey);
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const Aead> legacy,
                       LegacyAesCbcFromFile(path));
  std::string value;
  EXPECT_OK(legacy->Open(WithVector(kShort), "", &value));
  EXPECT_EQ(value, "value");
  PutFile(path, std::string(kKey) + "\n");
  EXPECT_THAT(LegacyAesCbcFromFile(path),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(path), HasSubstr("17 bytes"))));
  PutFile(path, kKey, 0644);
  EXPECT_THAT(
      LegacyAesCbcFromFile(path),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("chmod 600")));
}

}  // namespace
}  // namespace shardingdb
