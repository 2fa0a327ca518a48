// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What is special to encryption; what it shares with every DbHandle is in the
// conformance suite of //testing.

#include "shardingdb/encrypted_db_handle.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fault_injecting_db_handle.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<KeyRing> NewRing() {
  auto ring = KeyRing::Generate();
  EXPECT_OK(ring.status());
  return *ring;
}

struct Stack {
  ModelDb* base;  // sees sealed values
  std::unique_ptr<EncryptedDbHandle> db;
};

Stack NewStack(std::shared_ptr<const Aead> aead) {
  auto base = std::make_unique<ModelDb>();
  ModelDb* const raw = base.get();
  auto db = EncryptedDbHandle::New(std::move(base), std::move(aead));
  EXPECT_OK(db.status());
  return {raw, *std::move(db)};
}

std::string Stored(ModelDb* db, const std::string& key) {
  std::string value;
  EXPECT_OK(db->Get(leveldb::ReadOptions(), key, &value));
  return value;
}

TEST(EncryptedDbHandleTest, RefusesNull) {
  EXPECT_EQ(EncryptedDbHandle::New(nullptr, NewRing()).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(EncryptedDbHandle::New(std::make_unique<ModelDb>(), nullptr)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(EncryptedDbHandleTest, TheFirstValuesTellWhetherTheyOpen) {
  const std::shared_ptr<KeyRing> ring = NewRing();
  Stack stack = NewStack(ring);
  EXPECT_OK(CheckValuesOpen(stack.base, *ring));  // there are none
  for (const char* key : {"b", "c", "d"})
    ASSERT_OK(stack.db->Put(leveldb::WriteOptions(), key, "value"));
  EXPECT_OK(CheckValuesOpen(stack.base, *ring));

  const absl::Status other_key = CheckValuesOpen(stack.base, *NewRing());
  EXPECT_EQ(other_key.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(other_key.message()), HasSubstr("unknown key id"));

  // One that is damaged is for who reads it.
  ASSERT_OK(stack.base->Put(leveldb::WriteOptions(), "a", "damaged"));
  EXPECT_OK(CheckValuesOpen(stack.base, *ring));

  // A key that has been disabled is the right one all the same.
  ASSERT_OK(ring->AddKey({5, SecretBytes(std::string(32, 'k'))}));
  const uint32_t id = ring->primary_id();
  ASSERT_OK(ring->SetPrimary(5));
  ASSERT_OK(ring->Disable(id));
  EXPECT_OK(CheckValuesOpen(stack.base, *ring));

  ModelDb plain;
  for (const char* key : {"b", "c"})
    ASSERT_OK(plain.Put(leveldb::WriteOptions(), key, "value"));
  const absl::Status not_sealed = CheckValuesOpen(&plain, *ring);
  EXPECT_EQ(not_sealed.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(not_sealed.message()), HasSubstr("not sealed"));
}

TEST(CheckValuesOpenTest, AnErrorOfReadingSaysNothingAboutKeys) {
  auto plain = std::make_unique<ModelDb>();
  for (const char* key : {"a", "b"})
    ASSERT_OK(plain->Put(leveldb::WriteOptions(), key, "never sealed"));
  const auto faults = std::make_shared<DbFaults>();
  DbFault fault;
  fault.calls = {DbCall::kIteratorStep};
  fault.skip = 1;  // the first entry is there
  faults->Add(fault);
  FaultInjectingDbHandle handle(std::move(plain), faults);
  EXPECT_OK(CheckValuesOpen(&handle, *NewRing()));
  faults->RemoveAll();
  EXPECT_EQ(CheckValuesOpen(&handle, *NewRing()).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(EncryptedDbHandleTest, EveryValueBelowIsSealedAlsoAnEmptyOne) {
  Stack stack = NewStack(NewRing());
  ASSERT_OK(stack.db->Put(leveldb::WriteOptions(), "put", "plaintext-marker"));
  ASSERT_OK(stack.db->Put(leveldb::WriteOptions(), "empty", ""));
  leveldb::WriteBatch batch;
  batch.Put("batch", "plaintext-marker");
  batch.Put("batch-empty", "");
  ASSERT_OK(stack.db->Write(leveldb::WriteOptions(), &batch));
  for (const char* key : {"put", "empty", "batch", "batch-empty"}) {
    const std::string stored = Stored(stack.base, key);
    EXPECT_THAT(stored, Not(HasSubstr("plaintext-marker")));
    std::string value = "something";
    ASSERT_OK(stack.db->Get(leveldb::ReadOptions(), key, &value));
    EXPECT_EQ(stored.size(), value.size() + KeyRing::kOverhead);
    EXPECT_EQ(value, absl::StrContains(key, "empty") ? "" : "plaintext-marker");
  }
  EXPECT_NE(Stored(stack.base, "put"), Stored(stack.base, "batch"));
}

TEST(EncryptedDbHandleTest, EveryFlippedBitAndEveryTruncationIsCorruption) {
  Stack stack = NewStack(NewRing());
  ASSERT_OK(stack.db->Put(leveldb::WriteOptions(), "key", "secret-value"));
  const std::string good = Stored(stack.base, "key");
  std::vector<std::string> damaged;
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    damaged.push_back(good);
    damaged.back()[bit / 8] =
        static_cast<char>(damaged.back()[bit / 8] ^ (1 << (bit % 8)));
  }
  for (size_t size = 0; size < good.size(); ++size)
    damaged.push_back(good.substr(0, size));
  damaged.push_back(good + "x");
  damaged.push_back(
      "a plain value that nobody sealed, long enough for an envelope");
  for (const std::string& bytes : damaged) {
    ASSERT_OK(stack.base->Put(leveldb::WriteOptions(), "key", bytes));
    std::string value = "before";
    const leveldb::Status status =
        stack.db->Get(leveldb::ReadOptions(), "key", &value);
    ASSERT_TRUE(status.IsCorruption()) << status.ToString();
    ASSERT_EQ(value, "");
    ASSERT_THAT(status.ToString(), HasSubstr("key 0x6b6579 does not open"));
    ASSERT_THAT(status.ToString(), Not(HasSubstr("secret")));
  }
}

TEST(EncryptedDbHandleTest, AValueMovedToAnotherKeyDoesNotOpen) {
  Stack stack = NewStack(NewRing());
  ASSERT_OK(stack.db->Put(leveldb::WriteOptions(), "a", "value of a"));
  ASSERT_OK(
      stack.base->Put(leveldb::WriteOptions(), "b", Stored(stack.base, "a")));
  std::string value;
  EXPECT_TRUE(
      stack.db->Get(leveldb::ReadOptions(), "b", &value).IsCorruption());
}

TEST(EncryptedDbHandleTest, AnotherRingDoesNotOpenAndADisabledKeySaysSo) {
  const std::shared_ptr<KeyRing> ring = NewRing();
  Stack stack = NewStack(ring);
  ASSERT_OK(stack.db->Put(leveldb::WriteOptions(), "key", "value"));

  Stack other = NewStack(NewRing());
  ASSERT_OK(other.base->Put(leveldb::WriteOptions(), "key",
                            Stored(stack.base, "key")));
  std::string value;
  EXPECT_TRUE(
      other.db->Get(leveldb::ReadOptions(), "key", &value).IsCorruption());

  auto fresh = SecretBytes::Random(32);
  ASSERT_OK(fresh.status());
  const uint32_t old_id = ring->primary_id(),
                 new_id = old_id + 1 == 0 ? 1 : old_id + 1;
  ASSERT_OK(
      ring->AddKey(DataKey{new_id, *std::move(fresh), KeyState::kEnabled}));
  ASSERT_OK(ring->SetPrimary(new_id));
  ASSERT_OK(stack.db->Get(leveldb::ReadOptions(), "key",
                          &value));  // old values still open
  EXPECT_EQ(value, "value");
  ASSERT_OK(ring->Disable(old_id));
  EXPECT_TRUE(stack.db->Get(leveldb::ReadOptions(), "key", &value)
                  .IsNotSupportedError());
}

TEST(EncryptedDbHandleTest, MultiGetOpensWhatOpens) {
  Stack stack = NewStack(NewRing());
  ASSERT_OK(stack.db->Put(leveldb::WriteOptions(), "good", "value"));
  ASSERT_OK(stack.base->Put(leveldb::WriteOptions(), "bad", "plain"));
  std::vector<std::string> values;
  const auto statuses = stack.db->MultiGet(leveldb::ReadOptions(),
                                           {"bad", "good", "missing"}, &values);
  EXPECT_TRUE(statuses[0].IsCorruption());
  EXPECT_EQ(values[0], "");
  EXPECT_OK(statuses[1]);
  EXPECT_EQ(values[1], "value");
  EXPECT_TRUE(statuses[2].IsNotFound());
}

TEST(EncryptedDbHandleTest, AnIteratorOpensLazilyAndStopsAtWhatDoesNotOpen) {
  Stack stack = NewStack(NewRing());
  for (const char* key : {"a", "b", "c"})
    ASSERT_OK(stack.db->Put(leveldb::WriteOptions(), key, key));
  ASSERT_OK(stack.base->Put(leveldb::WriteOptions(), "b", "plain"));
  const std::unique_ptr<leveldb::Iterator> iterator(
      stack.db->NewIterator(leveldb::ReadOptions()));

  int keys = 0;  // keys alone ask for no value
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) ++keys;
  EXPECT_EQ(keys, 3);
  EXPECT_OK(iterator->status());

  iterator->SeekToFirst();
  EXPECT_EQ(iterator->value().ToString(), "a");
  EXPECT_EQ(iterator->value().ToString(), "a");
  iterator->Next();
  ASSERT_TRUE(iterator->Valid());
  EXPECT_EQ(iterator->value().ToString(), "");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsCorruption());
  EXPECT_THAT(iterator->status().ToString(),
              HasSubstr("key 0x62 does not open"));

  iterator->Seek("c");  // a new position, a new chance
  ASSERT_TRUE(iterator->Valid());
  EXPECT_OK(iterator->status());
  EXPECT_EQ(iterator->value().ToString(), "c");
}

}  // namespace
}  // namespace shardingdb
