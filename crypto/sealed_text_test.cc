// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/sealed_text.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/kek.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_text.h"
#include "crypto/raw_kek.h"
#include "crypto/ring_key.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SealedTextTest : public ::testing::Test {
 protected:
  SealedTextTest() {
    text_.ring_id = std::string(16, 'r');
    text_.kek = "token";
    text_.check = ring_key_.CheckValue();
    for (uint32_t id = 1; id <= 3; ++id) {
      DataKey key;
      key.id = id;
      key.key = SecretBytes(std::string(32, static_cast<char>('a' + id)));
      key.state = id == 2 ? KeyState::kDisabled : KeyState::kEnabled;
      EXPECT_OK(AppendKey(key, 1000 + id, id == 3, ring_key_, &text_));
    }
  }

  static RingKey RandomKey() {
    absl::StatusOr<RingKey> key = RingKey::Random(std::string(16, 'r'));
    EXPECT_OK(key);
    return *std::move(key);
  }

  const RingKey ring_key_ = RandomKey();
  KeyRingText text_;
};

TEST_F(SealedTextTest, KeysThereAndBack) {
  ASSERT_EQ(text_.keys.size(), 3u);
  for (uint32_t id = 1; id <= 3; ++id) {
    ASSERT_OK_AND_ASSIGN(const DataKey key, OpenKey(text_, id - 1, ring_key_));
    EXPECT_EQ(key.id, id);
    EXPECT_EQ(key.key.reveal(), std::string(32, static_cast<char>('a' + id)));
    EXPECT_EQ(key.state, id == 2 ? KeyState::kDisabled : KeyState::kEnabled);
    EXPECT_EQ(text_.keys[id - 1].created, 1000 + id);
    EXPECT_EQ(text_.keys[id - 1].primary, id == 3);
  }
}

TEST_F(SealedTextTest, KeysThatChangedPlacesDoNotOpen) {
  std::swap(text_.keys[0].wrapped, text_.keys[1].wrapped);
  for (const size_t index : {0, 1}) {
    EXPECT_THAT(OpenKey(text_, index, ring_key_),
                StatusIs(absl::StatusCode::kDataLoss,
                         StartsWith(index == 0 ? "line 5: key id 1"
                                               : "line 6: key id 2")));
  }
}

TEST_F(SealedTextTest, TheSealIsOverEveryField) {
  ASSERT_OK_AND_ASSIGN(const std::string encoded,
                       SealAndEncode(ring_key_, &text_));
  EXPECT_EQ(encoded, EncodeKeyRingText(text_));
  EXPECT_OK(VerifySeal(text_, ring_key_));
  const auto is_broken =
      StatusIs(absl::StatusCode::kDataLoss, StartsWith("line 8: the seal"));
  const auto changed = [this](auto change) {
    KeyRingText text = text_;
    change(&text);
    return VerifySeal(text, ring_key_);
  };
  EXPECT_THAT(changed([](KeyRingText* t) { t->ring_id[0] = 'x'; }), is_broken);
  EXPECT_THAT(changed([](KeyRingText* t) { t->kek = "tokem"; }), is_broken);
  EXPECT_THAT(changed([](KeyRingText* t) { t->check[0] ^= 1; }), is_broken);
  EXPECT_THAT(changed([](KeyRingText* t) { t->keys[0].id = 9; }), is_broken);
  EXPECT_THAT(changed([](KeyRingText* t) { t->keys[0].created = 9; }),
              is_broken);
  EXPECT_THAT(
      changed([](KeyRingText* t) { t->keys[1].state = KeyState::kEnabled; }),
      is_broken);
  EXPECT_THAT(changed([](KeyRingText* t) {
                t->keys[0].primary = true;
                t->keys[2].primary = false;
              }),
              is_broken);
  EXPECT_THAT(changed([](KeyRingText* t) { t->keys[0].wrapped[0] ^= 1; }),
              is_broken);
  EXPECT_THAT(changed([](KeyRingText* t) { t->seal[0] ^= 1; }), is_broken);
  EXPECT_THAT(
      changed([](KeyRingText* t) { std::swap(t->keys[0], t->keys[1]); }),
      is_broken);
  // One key less.
  EXPECT_THAT(changed([](KeyRingText* t) { t->keys.erase(t->keys.begin()); }),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("the seal")));
  EXPECT_THAT(VerifySeal(text_, RandomKey()), is_broken);
}

TEST_F(SealedTextTest, ARewrapKeepsTheDataKeysUnderAnotherRingKey) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KekProvider> kek,
                       NewRawKek(SecretBytes(std::string(32, 'k'))));
  const RingKey fresh = RandomKey();
  const KeyRingText before = text_;
  ASSERT_OK(RewrapText(ring_key_, fresh, *kek, &text_));
  EXPECT_THAT(text_.kek, StartsWith("raw "));
  EXPECT_EQ(text_.check, fresh.CheckValue());
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(const DataKey was, OpenKey(before, i, ring_key_));
    ASSERT_OK_AND_ASSIGN(const DataKey is, OpenKey(text_, i, fresh));
    EXPECT_TRUE(was.key == is.key);
    EXPECT_THAT(OpenKey(text_, i, ring_key_),
                StatusIs(absl::StatusCode::kDataLoss));
  }
}

TEST_F(SealedTextTest, ARingThatNoReaderWouldTakeIsNotWritten) {
  text_.keys.resize(kMaxKeyRingTextSize / 150, text_.keys[0]);
  EXPECT_THAT(SealAndEncode(ring_key_, &text_),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("too many keys")));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
