// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// ShardingDbBuilder with encryption.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/aead.h"
#include "crypto/compression.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/write_batch.h"
#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/grep.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

std::string InvalidArgument(ShardingDbBuilder builder) {
  const absl::Status status = builder.Build().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

// Shards may be encrypted one by one.
TEST(ShardingDbBuilderSealedTest,
     AValueThatDoesNotOpenEndsAnIteratorOverShards) {
  auto key_ring = KeyRing::Generate();
  ASSERT_OK(key_ring.status());
  std::vector<std::unique_ptr<DbHandle>> shards;
  for (int i = 0; i < 3; ++i) {
    auto shard = EncryptedDbHandle::New(std::make_unique<ModelDb>(), *key_ring);
    ASSERT_OK(shard.status());
    shards.push_back(*std::move(shard));
  }
  auto db = ShardingDbBuilder()
                .WithDbHandles(std::move(shards))
                .WithShardingFunc(PrefixSharding(':'))
                .Build();
  ASSERT_OK(db.status());
  for (const char* key : {"a:1", "b:1", "c:1", "d:1"})
    ASSERT_OK((*db)->Put(leveldb::WriteOptions(), key, "value"));
  ASSERT_OK((*key_ring)->AddKey({5, SecretBytes(std::string(32, 'k'))}));
  const uint32_t old = (*key_ring)->primary_id();
  ASSERT_OK((*key_ring)->SetPrimary(5));
  ASSERT_OK((*key_ring)->Disable(old));

  std::vector<std::unique_ptr<leveldb::Iterator>> iterators;
  iterators.emplace_back((*db)->NewIterator(leveldb::ReadOptions()));
  iterators.push_back(  // of several shards, and of one
      (*db)->NewRangeIterator(leveldb::ReadOptions(), {"a", "z"}));
  iterators.push_back(
      (*db)->NewRangeIterator(leveldb::ReadOptions(), {"b:", "b;"}));
  for (const std::unique_ptr<leveldb::Iterator>& iterator : iterators) {
    iterator->Seek("b:1");
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->value().ToString(), "");
    EXPECT_FALSE(iterator->Valid());
    EXPECT_THAT(iterator->status().ToString(), HasSubstr("shard "));
    EXPECT_THAT(iterator->status().ToString(), HasSubstr("is disabled"));
  }
}

TEST(ShardingDbBuilderSealedTest, RefusesValuesThatAreNotOfThisKey) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b")};
  auto right = KeyRing::Generate();
  auto wrong = KeyRing::Generate();
  ASSERT_OK(right.status());
  ASSERT_OK(wrong.status());
  const auto build = [&](const std::shared_ptr<KeyRing>& ring) {
    ShardingDbBuilder builder;
    builder.WithDbPaths(paths);
    if (ring != nullptr) builder.WithEncryption(ring);
    return builder.Build();
  };
  const auto put = [](const std::unique_ptr<ShardingDb>& db) {
    for (int i = 0; i < 20; ++i) {
      ASSERT_OK(
          db->Put(leveldb::WriteOptions(), absl::StrCat("key", i), "value"));
    }
  };
  {
    auto db = build(*right);
    ASSERT_OK(db.status());
    put(*db);
  }
  EXPECT_EQ(build(*wrong).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(build(*wrong).status().message()),
              HasSubstr("wrong key"));
  EXPECT_OK(build(*right).status());

  for (const std::string& path : paths) std::filesystem::remove_all(path);
  {
    auto db = build(nullptr);
    ASSERT_OK(db.status());
    put(*db);
  }
  EXPECT_EQ(build(*right).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_OK(build(nullptr).status());
}

// An Aead that seals nothing.
class BareAead : public Aead {
 public:
  absl::Status Seal(absl::string_view plaintext, absl::string_view,
                    std::string* sealed) const override {
    sealed->append(plaintext.data(), plaintext.size());
    return absl::OkStatus();
  }
  absl::Status Open(absl::string_view sealed, absl::string_view,
                    std::string* plaintext) const override {
    plaintext->assign(sealed.data(), sealed.size());
    return absl::OkStatus();
  }
  bool NeedsReseal(absl::string_view) const override { return false; }
};

TEST(ShardingDbBuilderSealedTest, ValueCompressionIsNotForAnyAead) {
  ShardingDbBuilder refused;
  refused.WithDbHandles(ModelShards(1))
      .WithValueCompression(Compression::kZstd)
      .WithEncryption(std::make_shared<BareAead>());
  EXPECT_THAT(InvalidArgument(std::move(refused)), HasSubstr("for a KeyRing"));

  // "None" suits everything.
  ShardingDbBuilder builder;
  builder.WithDbHandles(ModelShards(1))
      .WithValueCompression(Compression::kNone);
  EXPECT_OK(builder.Build().status());
  builder.WithDbHandles(ModelShards(1))
      .WithValueCompression(Compression::kNone);
  builder.WithEncryption(std::make_shared<BareAead>());
  EXPECT_OK(builder.Build().status());
}

TEST(ShardingDbBuilderSealedTest,
     SealedValuesAreCompressedUnlessToldOtherwise) {
  const TempDir dir;
  auto key_ring = KeyRing::Generate();
  ASSERT_OK(key_ring.status());
  const std::string value(5000, 'z');
  // Each opens what the others have written.
  std::vector<std::string> keys;
  for (const std::optional<Compression> compression :
       {std::optional<Compression>(), std::optional(Compression::kNone),
        std::optional(Compression::kSnappy),
        std::optional(Compression::kZstd)}) {
    ShardingDbBuilder builder;
    builder.WithDbPaths({dir.Join("a"), dir.Join("b")})
        .WithEncryption(*key_ring);
    if (compression.has_value()) builder.WithValueCompression(*compression);
    auto db = builder.Build();
    ASSERT_OK(db.status());
    keys.push_back(absl::StrCat("key", keys.size()));
    const uint64_t before = (*db)->GetStats().bytes_written;
    ASSERT_OK((*db)->Put(leveldb::WriteOptions(), keys.back(), value));
    EXPECT_EQ((*db)->GetStats().bytes_written - before > value.size(),
              compression == Compression::kNone);
    for (const std::string& key : keys) {
      std::string found;
      ASSERT_OK((*db)->Get(leveldb::ReadOptions(), key, &found));
      EXPECT_EQ(found, value);
    }
  }
}

TEST(ShardingDbBuilderSealedTest, ValuesAreCompressedWithoutEncryptionToo) {
  const TempDir dir;
  const auto build = [&](Compression compression) {
    return ShardingDbBuilder()
        .WithDbPaths({dir.Join("a"), dir.Join("b")})
        .WithValueCompression(compression)
        .Build();
  };
  const std::string value(5000, 'z');
  // Each opens what the other has written.
  std::vector<std::string> keys;
  for (const Compression compression :
       {Compression::kSnappy, Compression::kZstd}) {
    auto db = build(compression);
    ASSERT_OK(db.status());
    keys.push_back(absl::StrCat("key", keys.size()));
    const uint64_t before = (*db)->GetStats().bytes_written;
    ASSERT_OK((*db)->Put(leveldb::WriteOptions(), keys.back(), value));
    ASSERT_OK((*db)->Put(leveldb::WriteOptions(), "short", "v"));
    EXPECT_LT((*db)->GetStats().bytes_written - before, value.size());
    for (const std::string& key : keys) {
      std::string found;
      ASSERT_OK((*db)->Get(leveldb::ReadOptions(), key, &found));
      EXPECT_EQ(found, value);
    }
    // It has no keys to rotate.
    EXPECT_EQ((*db)->Rekey().status().code(),
              absl::StatusCode::kFailedPrecondition);
  }
  // Neither encryption nor bare values are mistaken for it.
  auto key_ring = KeyRing::Generate();
  ASSERT_OK(key_ring.status());
  EXPECT_EQ(ShardingDbBuilder()
                .WithDbPaths({dir.Join("a"), dir.Join("b")})
                .WithEncryption(*key_ring)
                .Build()
                .status()
                .code(),
            absl::StatusCode::kFailedPrecondition);
  {
    auto plain =
        ShardingDbBuilder().WithDbPaths({dir.Join("c"), dir.Join("d")}).Build();
    ASSERT_OK(plain.status());
    for (int i = 0; i < 20; ++i)
      ASSERT_OK((*plain)->Put(leveldb::WriteOptions(), absl::StrCat(i), "v"));
  }
  EXPECT_EQ(ShardingDbBuilder()
                .WithDbPaths({dir.Join("c"), dir.Join("d")})
                .WithValueCompression(Compression::kSnappy)
                .Build()
                .status()
                .code(),
            absl::StatusCode::kFailedPrecondition);
}

std::string Often(const std::string& text) {
  std::string often;
  while (often.size() < 500) often += text;
  return often;
}

TEST(ShardingDbBuilderSealedTest, NoPlaintextValueIsOnDisk) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b"),
                                          dir.Join("c")};
  leveldb::Options options;
  options.create_if_missing = true;
  options.compression = leveldb::kNoCompression;  // hides nothing from grep
  auto key_ring = KeyRing::Generate();
  ASSERT_OK(key_ring.status());
  constexpr int kMarkers = 60;
  const auto count_on_disk = [&] {
    int found = 0;
    for (int i = 0; i < kMarkers; ++i) {
      const auto files = FilesContaining(dir.path(), PlantedMarker(i));
      EXPECT_OK(files.status());
      found += static_cast<int>(files->size());
    }
    return found;
  };
  for (const bool sealed : {false, true}) {
    ShardingDbBuilder builder;
    builder.WithDbPaths(paths).WithOptions(options);
    if (sealed) builder.WithEncryption(*key_ring);
    auto db = builder.Build();
    ASSERT_OK(db.status());
    for (int i = 0; i < kMarkers; ++i) {
      const std::string key = absl::StrCat("key", i);
      leveldb::WriteBatch batch;
      batch.Put(key, PlantedMarker(i));
      batch.Put(key + "-copy", PlantedMarker(i));
      batch.Put(key + "-often", Often(PlantedMarker(i)));  // it is compressed
      ASSERT_OK((*db)->Write(leveldb::WriteOptions(), &batch));
      ASSERT_OK((*db)->Put(leveldb::WriteOptions(), key + "-empty", ""));
    }
    if (!sealed) {  // the search does find what is there, in the logs
      EXPECT_GE(count_on_disk(), kMarkers);
      db->reset();
      for (const std::string& path : paths) std::filesystem::remove_all(path);
      continue;
    }
    EXPECT_EQ(count_on_disk(), 0);  // in the logs
    (*db)->CompactRange(nullptr, nullptr);
    EXPECT_EQ(count_on_disk(), 0);  // in the tables
    std::string value;
    ASSERT_OK((*db)->Get(leveldb::ReadOptions(), "key7-copy", &value));
    EXPECT_EQ(value, PlantedMarker(7));
    ASSERT_OK((*db)->Get(leveldb::ReadOptions(), "key7-often", &value));
    EXPECT_EQ(value, Often(PlantedMarker(7)));
  }
}

}  // namespace
}  // namespace shardingdb
