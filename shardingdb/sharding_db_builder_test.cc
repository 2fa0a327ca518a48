// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sharding_db_builder.h"

#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "crypto/key_ring.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_func.h"
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
  auto db = std::move(ShardingDbBuilder()
                          .WithDbHandles(ModelShards(3))
                          .WithShardingFunc(MurmurSharding()))
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
  EXPECT_THAT(InvalidArgument(std::move(ShardingDbBuilder()
                                            .WithDbHandles(ModelShards(1))
                                            .WithDbPaths({dir.Join("a")}))),
              HasSubstr("both"));
  EXPECT_THAT(InvalidArgument(std::move(ShardingDbBuilder()
                                            .WithDbHandles(ModelShards(1))
                                            .WithShardingFunc(nullptr))),
              HasSubstr("null"));
  EXPECT_THAT(InvalidArgument(std::move(ShardingDbBuilder()
                                            .WithDbHandles(ModelShards(1))
                                            .WithEncryption(nullptr))),
              HasSubstr("Aead"));
  EXPECT_THAT(InvalidArgument(std::move(ShardingDbBuilder()
                                            .WithDbHandles(ModelShards(1))
                                            .WithOptions(leveldb::Options()))),
              HasSubstr("OpenLevelDb"));
  EXPECT_THAT(InvalidArgument(std::move(ShardingDbBuilder()
                                            .WithDbHandles(ModelShards(1))
                                            .WithMemoryBudget(1 << 30))),
              HasSubstr("OpenLevelDb"));
}

TEST(ShardingDbBuilderTest, RefusesAFunctionThatTakesABuiltInName) {
  const auto first = [](const leveldb::Slice&, uint32_t) { return 0u; };
  for (const char* name : {"jump", "murmur", "", "two words"}) {
    InvalidArgument(
        std::move(ShardingDbBuilder()
                      .WithDbHandles(ModelShards(1))
                      .WithShardingFunc(CustomSharding(name, first))));
  }
  InvalidArgument(
      std::move(ShardingDbBuilder()
                    .WithDbHandles(ModelShards(1))
                    .WithShardingFunc(CustomSharding("mine", nullptr))));
}

TEST(ShardingDbBuilderTest, RefusesNullAndRepeatedHandles) {
  auto with_null = ModelShards(2);
  with_null.push_back(nullptr);
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(std::move(with_null)))),
              HasSubstr("shard 2 is a null handle"));
  auto ring = KeyRing::Generate();
  ASSERT_OK(ring.status());
  with_null = ModelShards(2);
  with_null[0] = nullptr;
  EXPECT_THAT(InvalidArgument(std::move(ShardingDbBuilder()
                                            .WithDbHandles(std::move(with_null))
                                            .WithEncryption(*ring))),
              HasSubstr("shard 0 is a null handle"));
  auto repeated = ModelShards(3);
  repeated.emplace_back(repeated[1].get());
  EXPECT_THAT(InvalidArgument(std::move(
                  ShardingDbBuilder().WithDbHandles(std::move(repeated)))),
              HasSubstr("shard 3 is the same handle as shard 1"));
}

TEST(ShardingDbBuilderTest, NoticesShardsOutOfPlaceBeforeItWrites) {
  const TempDir dir;
  const auto build = [&](const std::vector<std::string>& names,
                         ShardingFuncPtr function) {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(dir.Join(name));
    return ShardingDbBuilder()
        .WithDbPaths(paths)
        .WithShardingFunc(std::move(function))
        .Build();
  };
  {
    auto db = build({"a", "b", "c"}, JumpSharding());
    ASSERT_OK(db.status());
    for (int i = 0; i < 1000; ++i) {
      ASSERT_OK((*db)->Put(leveldb::WriteOptions(), absl::StrCat("key", i),
                           absl::StrCat(i)));
    }
  }
  const struct {
    std::vector<std::string> names;
    ShardingFuncPtr function;
    std::string expected;
  } kWrong[] = {
      {{"a", "c"}, JumpSharding(), "is shard 0 of 3: missing shard 1"},
      {{"a", "b", "c"}, MurmurSharding(), "function \"jump\", not \"murmur\""},
      {{"a", "b", "c"}, Sha256Sharding(), "function \"jump\", not \"sha256\""}};
  for (const auto& wrong : kWrong) {
    const absl::Status status = build(wrong.names, wrong.function).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(wrong.expected));
  }
  auto db = build({"b", "a", "c"}, JumpSharding());
  ASSERT_OK(db.status());
  for (int i = 0; i < 1000; ++i) {
    std::string value;
    ASSERT_OK(
        (*db)->Get(leveldb::ReadOptions(), absl::StrCat("key", i), &value));
  }
}

TEST(ShardingDbBuilderTest, ABuilderStartsFromNothingAfterBuild) {
  ShardingDbBuilder builder;
  builder.WithDbHandles(ModelShards(1));
  ASSERT_OK(builder.Build().status());
  EXPECT_EQ(builder.Build().status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ShardingDbBuilderTest, ABuilderThatWasMovedFromStartsFromNothing) {
  ShardingDbBuilder first;
  first.WithDbHandles(ModelShards(2));
  ShardingDbBuilder second = std::move(first);
  EXPECT_EQ(first.Build().status().code(),  // NOLINT: that is the test
            absl::StatusCode::kInvalidArgument);
  first = std::move(second);
  second.WithDbHandles(ModelShards(1));  // NOLINT
  EXPECT_OK(second.Build().status());
  EXPECT_OK(first.Build().status());
}

TEST(ShardingDbBuilderTest, XorIsForOldDataOnly) {
  const absl::Status status = ShardingDbBuilder()
                                  .WithDbHandles(ModelShards(16))
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

  auto shards = ModelShards(16);
  const uint32_t home = XorSharding()->ShardOf("key", 16);
  ASSERT_OK(shards[home]->Put(leveldb::WriteOptions(), "key", "value"));
  auto db = ShardingDbBuilder()
                .WithDbHandles(std::move(shards))
                .WithShardingFunc(XorSharding())
                .WithAdoption("xor")
                .Build();
  ASSERT_OK(db.status());
  std::string value;
  EXPECT_OK((*db)->Get(leveldb::ReadOptions(), "key", &value));
}

TEST(ShardingDbBuilderTest, LogsThatItOpensAndCloses) {
  auto logger = std::make_shared<StringLogger>();
  auto db = ShardingDbBuilder()
                .WithDbHandles(ModelShards(2))
                .WithLogger(logger)
                .Build();
  ASSERT_OK(db.status());
  EXPECT_THAT(
      logger->text,
      HasSubstr("2 shards, sharding function jump, values as they are"));
  ASSERT_OK((*db)->Close());
  EXPECT_THAT(logger->text, HasSubstr("close: OK"));
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
