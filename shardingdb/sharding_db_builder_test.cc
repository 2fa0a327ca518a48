// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sharding_db_builder.h"

#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "crypto/aead.h"
#include "crypto/compression.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "testing/grep.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

std::vector<std::unique_ptr<DbHandle>> Models(int count) {
  std::vector<std::unique_ptr<DbHandle>> shards;
  for (int i = 0; i < count; ++i) shards.push_back(std::make_unique<ModelDb>());
  return shards;
}

std::string InvalidArgument(ShardingDbBuilder builder) {
  const absl::Status status = builder.Build().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

// Remembers what is logged.
class StringLogger : public leveldb::Logger {
 public:
  void Logv(const char* format, std::va_list arguments) override {
    char line[1000];
    std::vsnprintf(line, sizeof(line), format, arguments);
    text += line;
    text += '\n';
  }
  std::string text;
};

TEST(ShardingDbBuilderTest, BuildsOverHandles) {
  auto db =
      std::move(ShardingDbBuilder().WithDbHandles(Models(3)).WithShardingFunc(
                    MurmurSharding()))
          .Build();
  ASSERT_OK(db.status());
  EXPECT_EQ((*db)->ShardCount(), 3);
  EXPECT_EQ((*db)->sharding_func().name(), "murmur");
  EXPECT_OK((*db)->Put(leveldb::WriteOptions(), "key", "value"));
}

TEST(ShardingDbBuilderTest, SaysWhatIsMissingOrTooMuch) {
  const TempDir dir;
  EXPECT_THAT(InvalidArgument(ShardingDbBuilder()),
              HasSubstr("WithDbHandles or WithDbPaths"));
  EXPECT_THAT(InvalidArgument(std::move(ShardingDbBuilder().WithDbHandles({}))),
              HasSubstr("at least one shard"));
  EXPECT_THAT(InvalidArgument(std::move(ShardingDbBuilder().WithDbPaths({}))),
              HasSubstr("no folders"));
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(Models(1)).WithDbPaths(
                      {dir.Join("a")}))),
              HasSubstr("both"));
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(Models(1)).WithShardingFunc(
                      nullptr))),
              HasSubstr("null"));
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(Models(1)).WithEncryption(
                      nullptr))),
              HasSubstr("Aead"));
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(Models(1)).WithOptions(
                      leveldb::Options()))),
              HasSubstr("OpenLevelDb"));
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(Models(1)).WithMemoryBudget(
                      1 << 30))),
              HasSubstr("OpenLevelDb"));
}

TEST(ShardingDbBuilderTest, RefusesAFunctionThatTakesABuiltInName) {
  const auto first = [](const leveldb::Slice&, uint32_t) { return 0u; };
  for (const char* name : {"jump", "murmur", "", "two words"}) {
    InvalidArgument(
        std::move(ShardingDbBuilder().WithDbHandles(Models(1)).WithShardingFunc(
            CustomSharding(name, first))));
  }
  InvalidArgument(
      std::move(ShardingDbBuilder().WithDbHandles(Models(1)).WithShardingFunc(
          CustomSharding("mine", nullptr))));
}

TEST(ShardingDbBuilderTest, RefusesNullAndRepeatedHandles) {
  auto with_null = Models(2);
  with_null.push_back(nullptr);
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(std::move(with_null)))),
              HasSubstr("shard 2 is a null handle"));
  auto repeated = Models(3);
  repeated.emplace_back(repeated[1].get());
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(std::move(repeated)))),
              HasSubstr("shard 3 is the same handle as shard 1"));
}

TEST(ShardingDbBuilderTest, ABuilderStartsFromNothingAfterBuild) {
  ShardingDbBuilder builder;
  builder.WithDbHandles(Models(1));
  ASSERT_OK(builder.Build().status());
  EXPECT_EQ(builder.Build().status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ShardingDbBuilderTest, ABuilderThatWasMovedFromStartsFromNothing) {
  ShardingDbBuilder first;
  first.WithDbHandles(Models(2));
  ShardingDbBuilder second = std::move(first);
  EXPECT_EQ(first.Build().status().code(),  // NOLINT: that is the test
            absl::StatusCode::kInvalidArgument);
  first = std::move(second);
  second.WithDbHandles(Models(1));  // NOLINT
  EXPECT_OK(second.Build().status());
  EXPECT_OK(first.Build().status());
}

// Shards may be encrypted one by one.
TEST(ShardingDbBuilderTest, AValueThatDoesNotOpenEndsAnIteratorOverShards) {
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

TEST(ShardingDbBuilderTest, XorIsForOldDataOnly) {
  const absl::Status status = ShardingDbBuilder()
                                  .WithDbHandles(Models(16))
                                  .WithShardingFunc(XorSharding())
                                  .Build()
                                  .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("\"xor\" is for reading old data only"));

  // Folders that are not there are not made for it.
  const TempDir dir;
  const absl::Status missing = ShardingDbBuilder()
                                   .WithDbPaths({dir.Join("a"), dir.Join("b")})
                                   .WithShardingFunc(XorSharding())
                                   .Build()
                                   .status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(missing.message()),
              HasSubstr("\"xor\" is for reading old data only"));
  EXPECT_FALSE(std::filesystem::exists(dir.Join("a")));
  EXPECT_FALSE(std::filesystem::exists(dir.Join("b")));

  auto shards = Models(16);
  const uint32_t home = XorSharding()->ShardOf("key", 16);
  ASSERT_OK(shards[home]->Put(leveldb::WriteOptions(), "key", "value"));
  auto db = ShardingDbBuilder()
                .WithDbHandles(std::move(shards))
                .WithShardingFunc(XorSharding())
                .Build();
  ASSERT_OK(db.status());
  std::string value;
  EXPECT_OK((*db)->Get(leveldb::ReadOptions(), "key", &value));
}

TEST(ShardingDbBuilderTest, LogsThatItOpensAndCloses) {
  auto logger = std::make_shared<StringLogger>();
  auto db =
      ShardingDbBuilder().WithDbHandles(Models(2)).WithLogger(logger).Build();
  ASSERT_OK(db.status());
  EXPECT_THAT(
      logger->text,
      HasSubstr("2 shards, sharding function jump, values as they are"));
  ASSERT_OK((*db)->Close());
  EXPECT_THAT(logger->text, HasSubstr("close: OK"));
}

TEST(ShardingDbBuilderTest, RefusesValuesThatAreNotOfThisKey) {
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
              HasSubstr("another key"));
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
};

TEST(ShardingDbBuilderTest, ValueCompressionIsForAKeyRing) {
  const auto refusal = [](std::shared_ptr<const Aead> aead) {
    ShardingDbBuilder builder;
    builder.WithDbHandles(Models(1)).WithValueCompression(Compression::kZstd);
    if (aead != nullptr) builder.WithEncryption(std::move(aead));
    return InvalidArgument(std::move(builder));
  };
  EXPECT_THAT(refusal(nullptr), HasSubstr("needs WithEncryption"));
  EXPECT_THAT(refusal(std::make_shared<BareAead>()),
              HasSubstr("with a KeyRing"));

  // "None" suits everything.
  ShardingDbBuilder builder;
  builder.WithDbHandles(Models(1)).WithValueCompression(Compression::kNone);
  EXPECT_OK(builder.Build().status());
  builder.WithDbHandles(Models(1)).WithValueCompression(Compression::kNone);
  builder.WithEncryption(std::make_shared<BareAead>());
  EXPECT_OK(builder.Build().status());
}

TEST(ShardingDbBuilderTest, SealedValuesAreCompressedUnlessToldOtherwise) {
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

std::string Often(const std::string& text) {
  std::string often;
  while (often.size() < 500) often += text;
  return often;
}

TEST(ShardingDbBuilderTest, NoPlaintextValueIsOnDisk) {
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

TEST(ShardingDbTest, OpensInTheShapeOfLevelDb) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b"),
                                          dir.Join("c")};
  leveldb::Options options;
  leveldb::DB* raw = reinterpret_cast<leveldb::DB*>(1);
  const leveldb::Status missing = ShardingDb::Open(options, paths, &raw);
  EXPECT_FALSE(missing.ok());
  EXPECT_EQ(raw, nullptr);
  EXPECT_THAT(missing.ToString(), HasSubstr(paths[0]));

  options.create_if_missing = true;
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(ShardingDb::Open(options, paths, &raw));
    const std::unique_ptr<leveldb::DB> db(raw);
    for (int i = 0; i < 100; ++i) {
      if (round == 0) {
        ASSERT_OK(db->Put(leveldb::WriteOptions(), absl::StrCat("key", i),
                          absl::StrCat(i)));
      }
      std::string value;
      ASSERT_OK(
          db->Get(leveldb::ReadOptions(), absl::StrCat("key", i), &value));
      EXPECT_EQ(value, absl::StrCat(i));
    }
  }
  EXPECT_TRUE(ShardingDb::Open(options, paths, nullptr).IsInvalidArgument());
}

TEST(ShardingDbTest, OpensWithOneFolderWhatLevelDbWrote) {
  const TempDir dir;
  leveldb::Options options;
  options.create_if_missing = true;
  {
    leveldb::DB* raw = nullptr;
    ASSERT_OK(leveldb::DB::Open(options, dir.Join("db"), &raw));
    const std::unique_ptr<leveldb::DB> plain(raw);
    ASSERT_OK(plain->Put(leveldb::WriteOptions(), "key", "value"));
  }
  {
    auto db = ShardingDb::Open(options, {dir.Join("db")});
    ASSERT_OK(db.status());
    std::string value;
    ASSERT_OK((*db)->Get(leveldb::ReadOptions(), "key", &value));
    EXPECT_EQ(value, "value");
    ASSERT_OK((*db)->Put(leveldb::WriteOptions(), "key", "new"));
  }
  leveldb::DB* raw = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, dir.Join("db"), &raw));
  const std::unique_ptr<leveldb::DB> plain(raw);
  std::string value;
  ASSERT_OK(plain->Get(leveldb::ReadOptions(), "key", &value));
  EXPECT_EQ(value, "new");
}

}  // namespace
}  // namespace shardingdb
