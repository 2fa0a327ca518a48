// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_ring.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/aead.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

SecretBytes KeyOf(char byte) { return SecretBytes(std::string(32, byte)); }

DataKey NewDataKey(uint32_t id, char byte,
                   KeyState state = KeyState::kEnabled) {
  DataKey key;
  key.id = id;
  key.key = KeyOf(byte);
  key.state = state;
  return key;
}

// Keys 1, 2, 3 and the disabled 4; 2 is the primary.
std::vector<DataKey> FourKeys() {
  std::vector<DataKey> keys;
  keys.push_back(NewDataKey(1, 'a'));
  keys.push_back(NewDataKey(2, 'b'));
  keys.push_back(NewDataKey(3, 'c'));
  keys.push_back(NewDataKey(4, 'd', KeyState::kDisabled));
  return keys;
}

std::shared_ptr<KeyRing> NewRing(std::vector<DataKey> keys, uint32_t primary) {
  absl::StatusOr<std::shared_ptr<KeyRing>> ring =
      KeyRing::FromKeys(std::move(keys), primary);
  EXPECT_TRUE(ring.ok()) << ring.status();
  return *std::move(ring);
}

std::string Seal(const Aead& aead, absl::string_view plaintext,
                 absl::string_view associated_data = "key") {
  std::string sealed;
  const absl::Status status = aead.Seal(plaintext, associated_data, &sealed);
  EXPECT_TRUE(status.ok()) << status;
  return sealed;
}

absl::StatusOr<std::string> Open(const Aead& aead, absl::string_view sealed,
                                 absl::string_view associated_data = "key") {
  std::string plaintext = "what was there before";
  absl::Status status = aead.Open(sealed, associated_data, &plaintext);
  if (status.ok()) return plaintext;
  EXPECT_THAT(plaintext, IsEmpty());
  return status;
}

TEST(KeyRingTest, OpensWhatItSealedThroughTheInterface) {
  absl::StatusOr<std::shared_ptr<KeyRing>> ring = KeyRing::Generate();
  ASSERT_TRUE(ring.ok()) << ring.status();
  const std::shared_ptr<const Aead> aead = *ring;
  for (size_t size : {0, 1, 15, 16, 17, 100, 4096, 1 << 20}) {
    const std::string plaintext(size, 'v');
    const std::string sealed = Seal(*aead, plaintext);
    EXPECT_EQ(sealed.size(), size + KeyRing::kOverhead);
    absl::StatusOr<std::string> opened = Open(*aead, sealed);
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_TRUE(*opened == plaintext) << size;
  }
}

TEST(KeyRingTest, SealAppendsAndOpenReplaces) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  std::string buffer = "front";
  ASSERT_TRUE(ring->Seal("one", "k1", &buffer).ok());
  const size_t second = buffer.size();
  ASSERT_TRUE(ring->Seal("", "k2", &buffer).ok());
  ASSERT_TRUE(ring->Seal("three", "k3", &buffer).ok());
  const absl::string_view view = buffer;
  EXPECT_EQ(view.substr(0, 5), "front");
  EXPECT_EQ(*Open(*ring, view.substr(5, second - 5), "k1"), "one");
  EXPECT_EQ(*Open(*ring, view.substr(second, KeyRing::kOverhead), "k2"), "");
  EXPECT_EQ(*Open(*ring, view.substr(second + KeyRing::kOverhead), "k3"),
            "three");
}

TEST(KeyRingTest, WhatCannotBeSealedLeavesTheBufferAlone) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  std::string buffer = "front";
  const char byte = 'x';
  EXPECT_EQ(ring->Seal(absl::string_view(&byte, size_t{1} << 36), "k", &buffer)
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(buffer, "front");
}

TEST(KeyRingTest, EqualValuesSealDifferently) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  std::set<std::string> all;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(all.insert(Seal(*ring, "")).second);
    EXPECT_TRUE(all.insert(Seal(*ring, "same")).second);
  }
}

TEST(KeyRingTest, EveryBitAndEveryLengthCount) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  for (size_t size : {0, 1, 16, 33}) {
    const std::string sealed = Seal(*ring, std::string(size, 'v'));
    for (size_t bit = 0; bit < 8 * sealed.size(); ++bit) {
      std::string changed = sealed;
      changed[bit / 8] ^= static_cast<char>(1 << (bit % 8));
      const absl::StatusCode code = Open(*ring, changed).status().code();
      // A flip turns key id 2 into 3 or into one that the ring lacks, never
      // into 4, the disabled one.
      EXPECT_EQ(code, absl::StatusCode::kDataLoss)
          << size << " bytes, bit " << bit;
    }
    for (size_t left = 0; left < sealed.size(); ++left) {
      EXPECT_EQ(Open(*ring, sealed.substr(0, left)).status().code(),
                absl::StatusCode::kDataLoss)
          << size << " bytes, cut to " << left;
      EXPECT_EQ(
          Open(*ring, sealed.substr(sealed.size() - left)).status().code(),
          absl::StatusCode::kDataLoss)
          << size << " bytes, the last " << left;
    }
    EXPECT_EQ(Open(*ring, sealed + '\0').status().code(),
              absl::StatusCode::kDataLoss);
    EXPECT_TRUE(Open(*ring, sealed).ok());
  }
}

TEST(KeyRingTest, AValueMovedToAnotherKeyDoesNotOpen) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  const std::string a = Seal(*ring, "value a", "key a");
  const std::string b = Seal(*ring, "value b", "key b");
  for (const auto& [sealed, other] :
       {std::make_pair(a, "key b"), std::make_pair(b, "key a"),
        std::make_pair(a, ""), std::make_pair(a, "key a\n")}) {
    const absl::Status status = Open(*ring, sealed, other).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_EQ(status.message(), "sealed value: authentication failed");
  }
}

TEST(KeyRingTest, PartsOfTwoValuesDoNotJoin) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  const std::string a = Seal(*ring, "0123456789");
  const std::string b = Seal(*ring, "abcdefghij");
  for (size_t cut = 1; cut < a.size(); ++cut) {
    const std::string joined = a.substr(0, cut) + b.substr(cut);
    if (joined == a || joined == b) continue;  // equal headers
    EXPECT_EQ(Open(*ring, joined).status().code(), absl::StatusCode::kDataLoss)
        << cut;
  }
}

TEST(KeyRingTest, AnotherRingSaysUnknownKeyOrAuthenticationFailed) {
  const std::string sealed = Seal(*NewRing(FourKeys(), 2), "value");
  std::vector<DataKey> unlike;
  unlike.push_back(NewDataKey(9, 'b'));
  absl::Status status = Open(*NewRing(std::move(unlike), 9), sealed).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), "sealed value: unknown key id 2");
  std::vector<DataKey> same_id;
  same_id.push_back(NewDataKey(2, 'x'));
  status = Open(*NewRing(std::move(same_id), 2), sealed).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), "sealed value: authentication failed");
}

TEST(KeyRingTest, TheSameBytesOpenInAnotherRing) {
  absl::StatusOr<std::shared_ptr<KeyRing>> first =
      KeyRing::FromKeyBytes(KeyOf('k'));
  absl::StatusOr<std::shared_ptr<KeyRing>> second =
      KeyRing::FromKeyBytes(KeyOf('k'));
  absl::StatusOr<std::shared_ptr<KeyRing>> wrong =
      KeyRing::FromKeyBytes(KeyOf('w'));
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(second.ok()) << second.status();
  ASSERT_TRUE(wrong.ok()) << wrong.status();
  const std::string sealed = Seal(**first, "value");
  EXPECT_EQ(*Open(**second, sealed), "value");
  const absl::Status status = Open(**wrong, sealed).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("unknown key id"));
}

// The first four bytes, little endian, of SHA-256("sdb/key id:" and the key).
// Values on disk name their keys by it.
TEST(KeyRingTest, TheDefaultKeyIdIsFixed) {
  std::string bytes;
  for (int i = 0; i < 32; ++i) bytes.push_back(static_cast<char>(i));
  EXPECT_EQ(KeyRing::DefaultKeyId(SecretBytes(bytes)), 2242836199u);
}

TEST(KeyRingTest, AGeneratedRingLivesOnInItsExportedKeys) {
  absl::StatusOr<std::shared_ptr<KeyRing>> ring = KeyRing::Generate();
  ASSERT_TRUE(ring.ok()) << ring.status();
  const std::string sealed = Seal(**ring, "value");
  std::vector<DataKey> keys = (*ring)->ExportKeys();
  ASSERT_EQ(keys.size(), 1);
  EXPECT_EQ(keys[0].id, (*ring)->primary_id());
  EXPECT_EQ(keys[0].id, KeyRing::DefaultKeyId(keys[0].key));
  ring->reset();
  absl::StatusOr<std::shared_ptr<KeyRing>> again =
      KeyRing::FromKeyBytes(std::move(keys[0].key));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*Open(**again, sealed), "value");
}

TEST(KeyRingTest, GeneratedRingsDiffer) {
  absl::StatusOr<std::shared_ptr<KeyRing>> a = KeyRing::Generate();
  absl::StatusOr<std::shared_ptr<KeyRing>> b = KeyRing::Generate();
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_TRUE((*a)->ExportKeys()[0].key != (*b)->ExportKeys()[0].key);
  EXPECT_EQ(Open(**b, Seal(**a, "value")).status().code(),
            absl::StatusCode::kDataLoss);
}

struct BadRing {
  std::vector<DataKey> keys;
  uint32_t primary;
  std::string message;
};

TEST(KeyRingTest, BadKeysAreRefusedByName) {
  std::vector<BadRing> bad_rings;
  const auto add = [&bad_rings](std::vector<DataKey> keys, uint32_t primary,
                                std::string message) {
    bad_rings.push_back({std::move(keys), primary, std::move(message)});
  };
  add({}, 1, "no keys");
  add(FourKeys(), 5, "key id 5 is not in the ring");
  add(FourKeys(), 0, "key id 0 is not in the ring");
  add(FourKeys(), 4, "key id 4 is disabled");
  std::vector<DataKey> keys = FourKeys();
  keys.push_back(NewDataKey(3, 'e'));
  add(std::move(keys), 2, "key id 3 is there already");
  keys = FourKeys();
  keys.push_back(NewDataKey(0, 'e'));
  add(std::move(keys), 2, "key id 0 is not allowed");
  keys = FourKeys();
  keys[2].key = SecretBytes(std::string(31, 'c'));
  add(std::move(keys), 2, "key id 3: a key has 32 bytes, not 31");
  keys = FourKeys();
  keys[2].key = SecretBytes();
  add(std::move(keys), 2, "key id 3: a key has 32 bytes, not 0");
  for (BadRing& bad : bad_rings) {
    const absl::Status status =
        KeyRing::FromKeys(std::move(bad.keys), bad.primary).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad.message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad.message));
  }
  EXPECT_EQ(KeyRing::FromKeyBytes(SecretBytes("short")).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(KeyRing::FromKeyBytes(SecretBytes()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(KeyRingTest, RotationSealsWithTheNewKeyAndOpensWithTheOld) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  EXPECT_EQ(ring->primary_id(), 2);
  const std::string with_2 = Seal(*ring, "two");
  ASSERT_TRUE(ring->AddKey(NewDataKey(77, 'n')).ok());
  EXPECT_EQ(ring->primary_id(), 2);
  ASSERT_TRUE(ring->SetPrimary(77).ok());
  EXPECT_EQ(ring->primary_id(), 77);
  const std::string with_77 = Seal(*ring, "seventy-seven");
  EXPECT_EQ(with_77.substr(2, 4), std::string("\x4d\0\0\0", 4));
  EXPECT_EQ(*Open(*ring, with_2), "two");
  EXPECT_EQ(*Open(*ring, with_77), "seventy-seven");
  const std::vector<KeyInfo> infos = ring->ListKeys();
  ASSERT_EQ(infos.size(), 5);
  EXPECT_EQ(infos[1].id, 2);
  EXPECT_FALSE(infos[1].primary);
  EXPECT_EQ(infos[3].state, KeyState::kDisabled);
  EXPECT_EQ(infos[4].id, 77);
  EXPECT_TRUE(infos[4].primary);
}

TEST(KeyRingTest, ADisabledKeyRefusesUntilItIsEnabled) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  const std::string sealed = Seal(*ring, "value");
  ASSERT_TRUE(ring->SetPrimary(1).ok());
  ASSERT_TRUE(ring->Disable(2).ok());
  const absl::Status status = Open(*ring, sealed).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("key id 2 is disabled"));
  ASSERT_TRUE(ring->Enable(2).ok());
  EXPECT_EQ(*Open(*ring, sealed), "value");
}

TEST(KeyRingTest, ChangesThatMakeNoSenseAreRefused) {
  const std::shared_ptr<KeyRing> ring = NewRing(FourKeys(), 2);
  EXPECT_EQ(ring->AddKey(NewDataKey(3, 'x')).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ring->AddKey(NewDataKey(0, 'x')).code(),
            absl::StatusCode::kInvalidArgument);
  DataKey short_key;
  short_key.id = 8;
  short_key.key = SecretBytes("short");
  EXPECT_EQ(ring->AddKey(std::move(short_key)).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ring->SetPrimary(9).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ring->SetPrimary(4).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ring->Disable(2).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ring->Disable(9).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ring->Enable(9).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ring->ListKeys().size(), 4);
  EXPECT_EQ(ring->primary_id(), 2);
}

TEST(KeyRingTest, TenThousandKeys) {
  std::vector<DataKey> keys;
  for (uint32_t id = 1; id <= 10000; ++id) keys.push_back(NewDataKey(id, 'k'));
  const std::shared_ptr<KeyRing> ring = NewRing(std::move(keys), 1);
  std::vector<std::string> sealed;
  for (uint32_t id = 1; id <= 10000; id += 97) {
    ASSERT_TRUE(ring->SetPrimary(id).ok());
    sealed.push_back(Seal(*ring, std::to_string(id)));
  }
  for (size_t i = 0; i < sealed.size(); ++i) {
    EXPECT_EQ(*Open(*ring, sealed[i]), std::to_string(1 + 97 * i));
  }
}

}  // namespace
}  // namespace shardingdb
