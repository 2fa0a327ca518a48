// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/opaque_keys_handle.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "crypto/key_prf.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/write_batch.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/comparators.h"
#include "testing/grep.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using Map = std::map<std::string, std::string>;

const leveldb::ReadOptions kRead;
const leveldb::WriteOptions kWrite;

// An entry as the handle below gets it, of a key of less than 256 bytes.
std::string Joined(const std::string& key, const std::string& value) {
  return absl::StrCat(std::string(1, static_cast<char>(key.size())),
                      std::string(3, '\0'), key, value);
}

class OpaqueKeysHandleTest : public ::testing::Test {
 protected:
  OpaqueKeysHandleTest() {
    auto ring = KeyRing::FromKeyBytes(SecretBytes(std::string(32, 'k')));
    EXPECT_OK(ring.status());
    ring_ = *std::move(ring);
    auto prf = KeyPrf::New(SecretBytes(std::string(32, 'p')));
    EXPECT_OK(prf.status());
    prf_ = *std::move(prf);
  }

  absl::StatusOr<std::unique_ptr<ShardingDb>> Build(
      const std::shared_ptr<const KeyPrf>& prf) {
    ShardingDbBuilder builder;
    builder.WithDbPaths({dir_.Join("a"), dir_.Join("b"), dir_.Join("c")})
        .WithEncryption(ring_);
    if (prf != nullptr) builder.WithOpaqueKeys(prf);
    return builder.Build();
  }

  void Open() {
    db_.reset();
    auto db = Build(prf_);
    ASSERT_OK(db.status());
    db_ = *std::move(db);
  }

  // All entries, each met once, first to last; the same backwards.
  Map All(const leveldb::ReadOptions& options = kRead) {
    Map all;
    const std::unique_ptr<leveldb::Iterator> iterator(
        db_->NewIterator(options));
    std::vector<std::string> order;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      order.push_back(iterator->key().ToString());
      EXPECT_TRUE(
          all.emplace(order.back(), iterator->value().ToString()).second);
    }
    EXPECT_OK(iterator->status());
    for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
      if (order.empty()) {
        ADD_FAILURE() << "more entries backwards";
        break;
      }
      EXPECT_EQ(iterator->key().ToString(), order.back());
      EXPECT_EQ(iterator->value().ToString(), all[order.back()]);
      order.pop_back();
    }
    EXPECT_OK(iterator->status());
    EXPECT_TRUE(order.empty());
    return all;
  }

  const TempDir dir_;
  std::shared_ptr<KeyRing> ring_;
  std::shared_ptr<const KeyPrf> prf_;
  std::unique_ptr<ShardingDb> db_;
};

TEST_F(OpaqueKeysHandleTest, IsADatabaseButForOrder) {
  Open();
  Map model;
  leveldb::WriteBatch batch;
  for (int i = 0; i < 300; ++i) {
    const std::string key = absl::StrCat("key", i);
    batch.Put(key, absl::StrCat("value", i));
    model[key] = absl::StrCat("value", i);
  }
  batch.Delete("key7");
  model.erase("key7");
  ASSERT_OK(db_->Write(kWrite, &batch));
  for (const std::string& odd :
       {std::string(), std::string(1000, 'k'), std::string("\0\xff", 2)}) {
    ASSERT_OK(db_->Put(kWrite, odd, odd));
    model[odd] = odd;
  }
  const ScopedSnapshot snapshot(db_.get());
  ASSERT_OK(db_->Delete(kWrite, "key8"));
  ASSERT_OK(db_->Put(kWrite, "key9", ""));
  leveldb::ReadOptions before;
  before.snapshot = snapshot.get();
  EXPECT_EQ(All(before), model);
  model.erase("key8");
  model["key9"] = "";
  EXPECT_EQ(All(), model);

  for (const auto& [key, value] : model) {
    std::string found;
    ASSERT_OK(db_->Get(kRead, key, &found));
    EXPECT_EQ(found, value);
  }
  std::string found = "key5";
  ASSERT_OK(db_->Get(kRead, found, &found));  // key and place in one
  EXPECT_EQ(found, "value5");
  EXPECT_TRUE(db_->Get(kRead, "key7", &found).IsNotFound());
  bool has = false;
  ASSERT_OK(db_->Has(kRead, "key5", &has));
  EXPECT_TRUE(has);
  ASSERT_OK(db_->Has(kRead, "key8", &has));
  EXPECT_FALSE(has);
  std::vector<std::string> values;
  const std::vector<leveldb::Slice> keys = {"key1", "key8", "", "key1"};
  const std::vector<leveldb::Status> statuses =
      db_->MultiGet(kRead, keys, &values);
  EXPECT_OK(statuses[0]);
  EXPECT_TRUE(statuses[1].IsNotFound());
  EXPECT_OK(statuses[2]);
  EXPECT_EQ(values, (std::vector<std::string>{"value1", "", "", "value1"}));
}

TEST_F(OpaqueKeysHandleTest, OrderIsRefused) {
  Open();
  ASSERT_OK(db_->Put(kWrite, "a", "1"));
  const std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(kRead));
  iterator->Seek("a");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsNotSupportedError());
  EXPECT_THAT(iterator->status().ToString(), HasSubstr("have no order"));
  iterator->SeekToFirst();
  EXPECT_TRUE(iterator->Valid());
  EXPECT_OK(iterator->status());

  const auto range = db_->NewRangeIterator(kRead, {"a", ""});
  range->SeekToFirst();
  EXPECT_FALSE(range->Valid());
  EXPECT_TRUE(range->status().IsNotSupportedError());
  const auto everything = db_->NewRangeIterator(kRead, {"", ""});
  everything->SeekToFirst();
  ASSERT_TRUE(everything->Valid());
  EXPECT_EQ(everything->key().ToString(), "a");

  const leveldb::Range ranges[] = {{"a", "b"}, {"", "z"}};
  uint64_t sizes[] = {1, 1};
  db_->GetApproximateSizes(ranges, 2, sizes);
  EXPECT_EQ(sizes[0] + sizes[1], 0u);
  const leveldb::Slice begin = "b";
  db_->CompactRange(&begin, nullptr);
}

TEST_F(OpaqueKeysHandleTest, NeitherKeysNorValuesAreOnDisk) {
  Open();
  constexpr int kMarkers = 60;
  for (int i = 0; i < kMarkers; ++i) {
    ASSERT_OK(db_->Put(kWrite, PlantedMarker(i), PlantedMarker(1000 + i)));
    if (i == kMarkers / 2) db_->CompactRange(nullptr, nullptr);
  }
  Open();
  EXPECT_EQ(All().size(), size_t{kMarkers});
  db_.reset();
  for (int i = 0; i < kMarkers; ++i) {
    for (const int seed : {i, 1000 + i}) {
      const auto files = FilesContaining(dir_.path(), PlantedMarker(seed));
      ASSERT_OK(files.status());
      EXPECT_TRUE(files->empty()) << seed;
    }
  }
}

TEST_F(OpaqueKeysHandleTest, OpaqueAndClearKeysAreNotMistaken) {
  Open();
  for (int i = 0; i < 100; ++i)
    ASSERT_OK(db_->Put(kWrite, absl::StrCat(i), "value"));
  db_.reset();
  EXPECT_EQ(Build(nullptr).status().code(),
            absl::StatusCode::kFailedPrecondition);
  const TempDir other;
  const auto build = [&](bool opaque) {
    ShardingDbBuilder builder;
    builder.WithDbPaths({other.Join("a")}).WithEncryption(ring_);
    if (opaque) builder.WithOpaqueKeys(prf_);
    return builder.Build();
  };
  {
    auto clear = build(false);
    ASSERT_OK(clear.status());
    ASSERT_OK((*clear)->Put(kWrite, "key", "value"));
  }
  EXPECT_EQ(build(true).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(OpaqueKeysHandleTest, AnotherSecretIsRefused) {
  Open();
  ASSERT_OK(db_->Put(kWrite, "key", "value"));
  db_.reset();
  const auto other = KeyPrf::Generate();
  ASSERT_OK(other.status());
  EXPECT_EQ(Build(*other).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(OpaqueKeysHandleTest, AValueThatHoldsAnotherKeyIsCorruption) {
  auto base = std::make_unique<ModelDb>();
  ASSERT_OK(base->Put(kWrite, prf_->Compute("key"), Joined("another", "v")));
  auto handle = OpaqueKeysHandle::New(std::move(base), prf_);
  ASSERT_OK(handle.status());
  std::string value;
  EXPECT_TRUE((*handle)->Get(kRead, "key", &value).IsCorruption());
  EXPECT_TRUE((*handle)->Get(kRead, "another", &value).IsNotFound());
  const std::unique_ptr<leveldb::Iterator> iterator(
      (*handle)->NewIterator(kRead));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsCorruption());
}

// Somebody chooses keys and values of a set with clear keys, and copies bytes
// between it and one with opaque keys under the same ring.
TEST_F(OpaqueKeysHandleTest, EntriesAreNeitherMadeNorReadThroughClearKeys) {
  const std::string opaque_key = prf_->Compute("victim");  // seen on disk
  const auto open = [&](const char* folder, bool opaque) {
    ShardingDbBuilder builder;
    builder.WithDbPaths({dir_.Join(folder)}).WithEncryption(ring_);
    if (opaque) builder.WithOpaqueKeys(prf_);
    auto db = builder.Build();
    EXPECT_OK(db.status());
    return *std::move(db);
  };
  // Copies a value as it is stored.
  const auto stored_in = [&](const char* folder) {
    return OpenLevelDb(dir_.Join(folder), ShardOptions()).value();
  };
  const auto copy = [&](const char* from, const std::string& from_key,
                        const char* to, const std::string& to_key) {
    std::string stored;
    EXPECT_OK(stored_in(from)->Get(kRead, from_key, &stored));
    EXPECT_OK(stored_in(to)->Put(kWrite, to_key, stored));
  };
  const auto attack = [&](const std::string& clear_key, std::string* made_up,
                          std::string* read) {
    for (const bool opaque : {false, true}) {
      const auto db = open(opaque ? "opaque" : "clear", opaque);
      EXPECT_OK(db->Put(kWrite, "something else", "that opens"));
      if (opaque) {
        EXPECT_OK(db->Put(kWrite, "victim", "secret"));
      }
    }
    copy("opaque", opaque_key, "clear", clear_key);
    const leveldb::Status clear =
        open("clear", false)->Get(kRead, clear_key, read);
    ASSERT_OK(open("clear", false)
                  ->Put(kWrite, clear_key, Joined("victim", "made up")));
    copy("clear", clear_key, "opaque", opaque_key);
    db_ = open("opaque", true);
    const leveldb::Status opaque = db_->Get(kRead, "victim", made_up);
    EXPECT_EQ(clear.ok(), opaque.ok());
    EXPECT_TRUE(clear.ok() || clear.IsCorruption());
    EXPECT_TRUE(opaque.ok() || opaque.IsCorruption());
    std::unique_ptr<leveldb::Iterator> scan(db_->NewIterator(kRead));
    for (scan->SeekToFirst(); scan->Valid(); scan->Next()) {
    }
    EXPECT_EQ(scan->status().IsCorruption(), opaque.IsCorruption());
    scan.reset();
    db_.reset();
  };
  for (const std::string& clear_key :
       {opaque_key, "sdb/opaque key:" + opaque_key,
        "sdb/opaque value:" + opaque_key, std::string("victim")}) {
    std::string made_up;
    std::string read;
    attack(clear_key, &made_up, &read);
    EXPECT_EQ(made_up, "");
    EXPECT_EQ(read, "");
  }
  // It is the secret alone that forbids it.
  std::string made_up;
  std::string read;
  attack(prf_->Binding(opaque_key), &made_up, &read);
  EXPECT_EQ(made_up, "made up");
  EXPECT_EQ(read, Joined("victim", "secret"));
}

// With the secret that a ring file keeps, over a rotation.
TEST_F(OpaqueKeysHandleTest, TheSecretOfARingOutlivesItsKeys) {
  auto kek = NewRawKek(SecretBytes(std::string(32, 'e')));
  ASSERT_OK(kek.status());
  auto file = KeyRingFile::Create(dir_.Join("KEYRING"), **kek);
  ASSERT_OK(file.status());
  ASSERT_NE((*file)->key_prf(), nullptr);
  const auto build = [&] {
    auto db = ShardingDbBuilder()
                  .WithDbPaths({dir_.Join("x"), dir_.Join("y")})
                  .WithEncryption((*file)->ring())
                  .WithOpaqueKeys((*file)->key_prf())
                  .Build();
    EXPECT_OK(db.status());
    return *std::move(db);
  };
  db_ = build();
  Map model;
  for (int i = 0; i < 50; ++i) {
    model[absl::StrCat(i)] = "value";
    ASSERT_OK(db_->Put(kWrite, absl::StrCat(i), "value"));
  }
  const uint32_t former = (*file)->ring()->primary_id();
  ASSERT_OK((*file)->RotateDataKey().status());
  auto new_kek = NewRawKek(SecretBytes(std::string(32, 'n')));
  ASSERT_OK(new_kek.status());
  ASSERT_OK((*file)->Rewrap(**new_kek));
  ASSERT_OK(db_->Rekey().status());
  ASSERT_OK((*file)->Drop(former, [&] { return db_->CheckKeyUnused(former); }));
  db_.reset();
  file = KeyRingFile::Open(dir_.Join("KEYRING"), **new_kek);
  ASSERT_OK(file.status());
  db_ = build();
  EXPECT_EQ(All(), model);
  std::string value;
  EXPECT_OK(db_->Get(kRead, "17", &value));
}

TEST_F(OpaqueKeysHandleTest, NeedsEncryptionAKeyPrfAndThePlainOrder) {
  const auto refusal = [](ShardingDbBuilder builder) {
    return builder.Build().status();
  };
  ShardingDbBuilder no_encryption;
  no_encryption.WithDbHandles(ModelShards(1)).WithOpaqueKeys(prf_);
  EXPECT_EQ(refusal(std::move(no_encryption)).code(),
            absl::StatusCode::kInvalidArgument);
  ShardingDbBuilder no_prf;
  no_prf.WithDbHandles(ModelShards(1))
      .WithEncryption(ring_)
      .WithOpaqueKeys(nullptr);
  EXPECT_EQ(refusal(std::move(no_prf)).code(),
            absl::StatusCode::kInvalidArgument);
  std::vector<std::unique_ptr<DbHandle>> reversed;
  reversed.push_back(std::make_unique<ModelDb>(ReverseBytewiseComparator()));
  ShardingDbBuilder other_order;
  other_order.WithDbHandles(std::move(reversed))
      .WithEncryption(ring_)
      .WithOpaqueKeys(prf_);
  EXPECT_EQ(refusal(std::move(other_order)).code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace shardingdb
