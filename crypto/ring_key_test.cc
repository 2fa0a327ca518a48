// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/ring_key.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/kek.h"
#include "crypto/key_ring_text.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;

const auto kIsWrongKey =
    StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("wrong key"));

// Wraps nothing: `token` and `secret` are what it gives.
class FixedKek final : public KekProvider {
 public:
  FixedKek(std::string token, std::string secret)
      : token_(std::move(token)), secret_(std::move(secret)) {}
  absl::StatusOr<std::string> Wrap(const SecretBytes&,
                                   absl::string_view) const override {
    return token_;
  }
  absl::StatusOr<SecretBytes> Unwrap(absl::string_view,
                                     absl::string_view) const override {
    return SecretBytes(secret_);
  }

 private:
  const std::string token_;
  const std::string secret_;
};

class RingKeyTest : public ::testing::Test {
 protected:
  RingKey RandomKey(char ring) {
    absl::StatusOr<RingKey> key = RingKey::Random(std::string(16, ring));
    EXPECT_OK(key);
    return *std::move(key);
  }

  const std::string ring_id_ = std::string(16, 'r');
  const RingKey key_ = RandomKey('r');
  const SecretBytes data_key_{std::string(32, 'd')};
};

TEST_F(RingKeyTest, UnderItsKekThereAndBack) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KekProvider> kek,
                       NewRawKek(SecretBytes(std::string(32, 'k'))));
  ASSERT_OK_AND_ASSIGN(const std::string token, key_.WrapWith(*kek));
  ASSERT_OK_AND_ASSIGN(
      const RingKey again,
      RingKey::Unwrap(ring_id_, *kek, token, key_.CheckValue()));
  ASSERT_OK_AND_ASSIGN(const std::string wrapped,
                       key_.WrapDataKey(7, data_key_));
  ASSERT_OK_AND_ASSIGN(const SecretBytes data_key,
                       again.UnwrapDataKey(7, wrapped));
  EXPECT_TRUE(data_key == data_key_);
  // A token is bound to the ring.
  EXPECT_THAT(
      RingKey::Unwrap(std::string(16, 's'), *kek, token, key_.CheckValue()),
      kIsWrongKey);
}

TEST_F(RingKeyTest, AKekThatDoesNotNoticeIsFoundOutByTheCheckValue) {
  for (const size_t size : {0, 31, 32, 33}) {
    const FixedKek kek("token", std::string(size, 'x'));
    EXPECT_THAT(RingKey::Unwrap(ring_id_, kek, "token", key_.CheckValue()),
                kIsWrongKey);
  }
}

TEST_F(RingKeyTest, AKekMustGiveAToken) {
  for (const std::string& token :
       {std::string(), std::string("two\nlines"), std::string("\xff"),
        std::string(KekProvider::kMaxTokenSize + 1, 'x')}) {
    EXPECT_THAT(key_.WrapWith(FixedKek(token, "")),
                StatusIs(absl::StatusCode::kInternal));
  }
}

TEST_F(RingKeyTest, AKekMustUnwrapWhatItWraps) {
  for (const size_t size : {0, 31, 32, 33}) {
    EXPECT_THAT(key_.WrapWith(FixedKek("token", std::string(size, 'x'))),
                StatusIs(absl::StatusCode::kInternal,
                         HasSubstr("unwraps something else")));
  }
}

TEST_F(RingKeyTest, ADataKeyIsBoundToItsIdItsRingAndItsRingKey) {
  ASSERT_OK_AND_ASSIGN(const std::string wrapped,
                       key_.WrapDataKey(7, data_key_));
  EXPECT_EQ(wrapped.size(), kWrappedKeySize);
  EXPECT_OK(key_.UnwrapDataKey(7, wrapped));
  EXPECT_THAT(key_.UnwrapDataKey(8, wrapped),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(RandomKey('r').UnwrapDataKey(7, wrapped),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST_F(RingKeyTest, ASealIsBoundToTheTextAndTheRingKey) {
  ASSERT_OK_AND_ASSIGN(const std::string seal, key_.Seal("text"));
  EXPECT_EQ(seal.size(), kRingSealSize);
  EXPECT_OK(key_.VerifySeal("text", seal));
  EXPECT_THAT(key_.VerifySeal("texT", seal),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(RandomKey('r').VerifySeal("text", seal),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST_F(RingKeyTest, ASealIsNoWrappedKey) {
  ASSERT_OK_AND_ASSIGN(const std::string seal, key_.Seal("text"));
  EXPECT_THAT(key_.UnwrapDataKey(7, seal),
              StatusIs(absl::StatusCode::kDataLoss));
  ASSERT_OK_AND_ASSIGN(const std::string wrapped,
                       key_.WrapDataKey(7, data_key_));
  EXPECT_THAT(key_.VerifySeal("text", wrapped),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST_F(RingKeyTest, CheckValuesTellKeysAndRingsApart) {
  EXPECT_EQ(key_.CheckValue().size(), kRingCheckSize);
  EXPECT_EQ(key_.CheckValue(), key_.CheckValue());
  EXPECT_NE(key_.CheckValue(), RandomKey('r').CheckValue());
}

}  // namespace
}  // namespace shardingdb::crypto_internal
