// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/wrap.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

class WrapTest : public ::testing::Test {
 protected:
  const SecretBytes key_{std::string(32, 'k')};
  const SecretBytes secret_{"a secret"};
};

TEST_F(WrapTest, ThereAndBack) {
  for (const char* text : {"a secret", ""}) {
    const SecretBytes secret(text);
    ASSERT_OK_AND_ASSIGN(const std::string wrapped,
                         WrapSecret(key_, "context", secret));
    EXPECT_EQ(wrapped.size(), secret.size() + kWrapOverhead);
    ASSERT_OK_AND_ASSIGN(const SecretBytes again,
                         UnwrapSecret(key_, "context", wrapped));
    EXPECT_EQ(again.reveal(), text);
  }
}

TEST_F(WrapTest, TheSameSecretNeverLooksTheSame) {
  ASSERT_OK_AND_ASSIGN(const std::string one, WrapSecret(key_, "", secret_));
  ASSERT_OK_AND_ASSIGN(const std::string two, WrapSecret(key_, "", secret_));
  EXPECT_NE(one.substr(0, 24), two.substr(0, 24));
  EXPECT_NE(one.substr(24), two.substr(24));
}

TEST_F(WrapTest, AnyChangeIsNoticed) {
  ASSERT_OK_AND_ASSIGN(const std::string wrapped,
                       WrapSecret(key_, "context", secret_));
  for (size_t bit = 0; bit < 8 * wrapped.size(); ++bit) {
    std::string changed = wrapped;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THAT(UnwrapSecret(key_, "context", changed),
                StatusIs(absl::StatusCode::kDataLoss));
  }
  for (size_t size = 0; size < wrapped.size(); ++size) {
    EXPECT_THAT(UnwrapSecret(key_, "context", wrapped.substr(0, size)),
                StatusIs(absl::StatusCode::kDataLoss));
  }
  EXPECT_THAT(UnwrapSecret(key_, "contexT", wrapped),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(
      UnwrapSecret(SecretBytes(std::string(32, 'l')), "context", wrapped),
      StatusIs(absl::StatusCode::kDataLoss));
}

TEST_F(WrapTest, AKeyIs32Bytes) {
  const SecretBytes short_key(std::string(31, 'k'));
  EXPECT_THAT(WrapSecret(short_key, "", secret_),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(UnwrapSecret(short_key, "", std::string(60, 'x')),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
