// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_prf.h"

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/hex_for_test.h"
#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using crypto_internal::FromHex;

// RFC 4231. HMAC fills shorter keys up with zeros, so these are its keys with
// zeros to 32 bytes: test cases 1 to 4.
TEST(KeyPrfTest, PublishedVectors) {
  const struct {
    std::string secret;
    std::string data;
    const char* hmac;
  } kVectors[] = {
      {std::string(20, '\x0b'), "Hi There",
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"Jefe", "what do ya want for nothing?",
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {std::string(20, '\xaa'), std::string(50, '\xdd'),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {FromHex("0102030405060708090a0b0c0d0e0f10111213141516171819"),
       std::string(50, '\xcd'),
       "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
  };
  for (const auto& vector : kVectors) {
    std::string secret = vector.secret;
    secret.resize(KeyPrf::kSecretSize);
    ASSERT_OK_AND_ASSIGN(const auto prf, KeyPrf::New(SecretBytes(secret)));
    EXPECT_EQ(prf->Compute(vector.data), FromHex(vector.hmac));
  }
}

TEST(KeyPrfTest, TheSecretHas32Bytes) {
  for (const size_t size : {0, 31, 33}) {
    EXPECT_THAT(KeyPrf::New(SecretBytes(std::string(size, 's'))),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(KeyPrfTest, SecretsAreFresh) {
  ASSERT_OK_AND_ASSIGN(const auto one, KeyPrf::Generate());
  ASSERT_OK_AND_ASSIGN(const auto other, KeyPrf::Generate());
  EXPECT_NE(one->Compute("key"), other->Compute("key"));
  ASSERT_OK_AND_ASSIGN(const auto same, KeyPrf::New(one->secret().Clone()));
  EXPECT_EQ(one->Compute("key"), same->Compute("key"));
}

TEST(KeyPrfTest, ThreadsShareOne) {
  ASSERT_OK_AND_ASSIGN(const auto prf, KeyPrf::Generate());
  const std::string expected = prf->Compute("key");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) EXPECT_EQ(prf->Compute("key"), expected);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace shardingdb
