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

// Under 00 01 ... 1f; computed with Python's hmac, and one with OpenSSL.
TEST(KeyPrfTest, GoldenBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  const struct {
    std::string user_key;
    const char* opaque_key;
    const char* binding;
  } kVectors[] = {
      {"", "ee79c8bbf74a8fec78576709e6d182ebe4bd02d64e1adfdbd094e00a1035ac90",
       "d2ef2f9fbfbeeaa1049fe8f39bfcf5ec3e7f011bdefdd90aaf29017b05f7e554"},
      {"user-key",
       "6c11e6547aee69a125219db31c24679947f073cf0273bd5739b49ca64ed378f3",
       "fd032dd4e735c12475f4f9e263b55d892fd23afbb5a1ffa5d84f21e31e0ba83d"},
      {bytes,
       "25b2af4369d217fe9f7afa812140c4c7e03da81ce0094a13d94ae6867aa52ec2",
       "ee2483a1f0dd9fffa334ced51ba3a4199ead90abaa3e5015d121dfadb173833d"},
  };
  ASSERT_OK_AND_ASSIGN(
      const auto prf,
      KeyPrf::New(SecretBytes(bytes.substr(0, KeyPrf::kSecretSize))));
  for (const auto& vector : kVectors) {
    const std::string opaque_key = prf->Compute(vector.user_key);
    EXPECT_EQ(opaque_key, FromHex(vector.opaque_key));
    EXPECT_EQ(prf->Binding(opaque_key), FromHex(vector.binding));
  }
}

// Else whoever has a key of their choice stored would see a binding on disk.
TEST(KeyPrfTest, NoUserKeyBecomesABinding) {
  ASSERT_OK_AND_ASSIGN(const auto prf, KeyPrf::Generate());
  const std::string opaque_key = prf->Compute("key");
  const std::string binding = prf->Binding(opaque_key);
  for (const std::string& chosen :
       {opaque_key, "sdb/opaque value:" + opaque_key,
        "sdb/opaque key:" + opaque_key, "value:" + opaque_key}) {
    EXPECT_NE(prf->Compute(chosen), binding);
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
