// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/scrypt.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/hex.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

// RFC 7914, section 12.
TEST(ScryptTest, PublishedVectors) {
  const struct {
    const char* passphrase;
    const char* salt;
    ScryptParameters parameters;
    const char* derived;
  } kVectors[] = {
      {"",
       "",
       {16, 1, 1},
       "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
       "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"},
      {"password",
       "NaCl",
       {1024, 8, 16},
       "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
       "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"},
      {"pleaseletmein",
       "SodiumChloride",
       {16384, 8, 1},
       "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
       "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"},
  };
  for (const auto& vector : kVectors) {
    ASSERT_OK_AND_ASSIGN(const SecretBytes derived,
                         Scrypt(SecretBytes(vector.passphrase), vector.salt,
                                vector.parameters, 64));
    EXPECT_EQ(EncodeHex(derived.reveal()), vector.derived);
  }
}

TEST(ScryptTest, TheDefaultTakes64MebibytesAndIsAllowed) {
  const ScryptParameters parameters;
  EXPECT_EQ(128 * parameters.n * parameters.r, 64u << 20);
  EXPECT_OK(CheckScryptParameters(parameters));
}

TEST(ScryptTest, ParametersThatMakeNoSense) {
  const ScryptParameters kWrong[] = {{0, 8, 1},  {1, 8, 1},  {3, 8, 1},
                                     {16, 0, 1}, {16, 8, 0}, {65535, 8, 1}};
  for (const ScryptParameters& wrong : kWrong) {
    EXPECT_THAT(Scrypt(SecretBytes("p"), "salt", wrong, 32),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(ScryptTest, ParametersThatAskForTooMuchCostNothing) {
  const uint64_t kHuge = uint64_t{1} << 63;
  const ScryptParameters kWrong[] = {
      {1 << 20, 8, 1},   // 1 GiB
      {1 << 19, 9, 1},   // a little more than 512 MiB
      {1 << 16, 8, 17},  // a little more than sixteen times the default
      {2, 1, kHuge},
      {2, kHuge, 1},
      {kHuge, 1, 1},
      {kHuge, kHuge, kHuge},
      {1 << 16, 1 << 16, 1 << 16}};
  for (const ScryptParameters& wrong : kWrong) {
    EXPECT_THAT(CheckScryptParameters(wrong),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         ::testing::HasSubstr("too much")));
    EXPECT_THAT(Scrypt(SecretBytes("p"), "salt", wrong, 32),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_OK(CheckScryptParameters({1 << 19, 8, 1}));
  EXPECT_OK(CheckScryptParameters({1 << 16, 8, 16}));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
