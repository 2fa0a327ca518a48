// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Sets that make no sense, and sharding functions that do not work.

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "testing/comparators.h"
#include "testing/model_db.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::WriteOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

leveldb::Options MakeMissing() {
  leveldb::Options options;
  options.create_if_missing = true;
  return options;
}

absl::StatusOr<std::unique_ptr<ShardingDb>> Build(ShardingFuncPtr function) {
  return ShardingDbBuilder()
      .WithDbHandles(ModelShards(3))
      .WithShardingFunc(std::move(function))
      .Build();
}

// ShardingDb::Open and the builder refuse `paths`, and make nothing in `dir`.
void ExpectRefused(const TempDir& dir, const std::vector<std::string>& paths,
                   const std::string& reason) {
  EXPECT_THAT(ShardingDb::Open(MakeMissing(), paths),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(reason)));
  EXPECT_THAT(ShardingDbBuilder().WithDbPaths(paths).Build(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(reason)));
  auto* db = reinterpret_cast<leveldb::DB*>(1);
  EXPECT_THAT(
      ShardingDb::Open(MakeMissing(), paths, &db),
      LevelDbStatusIs(LevelDbCode::kInvalidArgument, HasSubstr(reason)));
  EXPECT_EQ(db, nullptr);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(BadSetTest, NoShards) {
  const TempDir dir;
  ExpectRefused(dir, {}, "no folders");
  EXPECT_THAT(ShardingDbBuilder().Build(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ShardingDbBuilder().WithDbHandles({}).Build(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(BadSetTest, TooManyShards) {
  const TempDir dir;
  std::vector<std::string> paths;
  for (uint32_t i = 0; i <= kMaxShards; ++i) {
    paths.push_back(dir.Join(absl::StrCat(i)));
  }
  ExpectRefused(dir, paths, "65535");
}

TEST(BadSetTest, NoNames) {
  const TempDir dir;
  ExpectRefused(dir, {dir.Join("a"), ""}, "1");
  ExpectRefused(dir, {dir.Join("a"), dir.Join(std::string("b\0c", 3))}, "zero");
}

TEST(BadSetTest, OneFolderUnderTwoNames) {
  const TempDir dir;
  const std::string path = dir.Join("db");
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  for (const std::string& other :
       {path, path + "/", path + "//", path + "/.", dir.path() + "//db",
        dir.Join("x/../db"), std::string("db"), std::string("./db"),
        std::string("./x/.././db/")}) {
    ExpectRefused(dir, {dir.Join("a"), path, other}, other);
  }
  std::filesystem::current_path(before);
}

TEST(BadSetTest, OneFolderThroughALink) {
  const TempDir dir;
  const std::string path = dir.Join("db");
  { EXPECT_OK(ShardingDb::Open(MakeMissing(), {path})); }
  std::filesystem::create_directory_symlink(path, dir.Join("link"));
  std::filesystem::create_directory_symlink(dir.path(), dir.Join("parent"));
  for (const char* other : {"link", "parent/db", "parent/link/"}) {
    EXPECT_THAT(ShardingDb::Open(MakeMissing(), {path, dir.Join(other)}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(dir.Join(other))));
  }
  // Of folders that are not there yet, too.
  EXPECT_THAT(ShardingDb::Open(MakeMissing(),
                               {dir.Join("new"), dir.Join("parent/new")}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr(dir.Join("parent/new"))));
  EXPECT_FALSE(std::filesystem::exists(dir.Join("new")));
  EXPECT_OK(ShardingDb::Open(MakeMissing(), {dir.Join("link")}));
}

TEST(BadSetTest, ASetThatIsOpenAlready) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b")};
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ShardingDb> db,
                       ShardingDb::Open(MakeMissing(), paths));
  EXPECT_THAT(
      ShardingDb::Open(MakeMissing(), paths),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(paths[0])));
  EXPECT_THAT(
      ShardingDb::Open(MakeMissing(), {dir.Join("c"), paths[1]}),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(paths[1])));
  EXPECT_OK(db->Put(WriteOptions(), "a", "1"));
}

TEST(BadSetTest, ASetThatMustNotBeThere) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b")};
  { EXPECT_OK(ShardingDb::Open(MakeMissing(), paths)); }
  leveldb::Options options = MakeMissing();
  options.error_if_exists = true;
  EXPECT_THAT(ShardingDb::Open(options, paths),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr(paths[0])));
  EXPECT_OK(ShardingDb::Open(MakeMissing(), paths));
}

TEST(BadSetTest, NoComparator) {
  const TempDir dir;
  leveldb::Options options = MakeMissing();
  options.comparator = nullptr;
  EXPECT_THAT(ShardingDb::Open(options, {dir.Join("a")}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(BadSetTest, HandlesOfARefusedSetAreClosed) {
  const TempDir dir;
  const std::string path = dir.Join("a");
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<DbHandle> shard,
                         OpenLevelDb(path, ShardOptions()));
    EXPECT_OK(shard->Put(WriteOptions(), "a", absl::StrCat(i)));
    std::vector<std::unique_ptr<DbHandle>> shards;
    shards.push_back(std::move(shard));
    shards.push_back(i == 0 ? nullptr
                            : std::make_unique<ModelDb>(
                                  i == 1 ? ReverseBytewiseComparator()
                                         : leveldb::BytewiseComparator()));
    ShardingDbBuilder builder;
    builder.WithDbHandles(std::move(shards));
    if (i == 2) builder.WithShardingFunc(nullptr);
    EXPECT_THAT(builder.Build(),
                StatusIs(i == 1 ? absl::StatusCode::kFailedPrecondition
                                : absl::StatusCode::kInvalidArgument));
  }
  EXPECT_OK(OpenLevelDb(path, ShardOptions()));
}

TEST(BadSetTest, HandlesThatAreClosedAlready) {
  std::vector<std::unique_ptr<DbHandle>> shards = ModelShards(2);
  for (auto& shard : shards) EXPECT_OK(shard->Close());
  EXPECT_THAT(ShardingDbBuilder().WithDbHandles(std::move(shards)).Build(),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("shard 0: model: closed")));
}

TEST(BadShardingFuncTest, OnesThatCannotWorkAreRefused) {
  const auto zero = [](const Slice&, uint32_t) { return 0u; };
  const auto invalid = StatusIs(absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Build(nullptr), invalid);
  EXPECT_THAT(Build(CustomSharding("mine", nullptr)), invalid);
  EXPECT_THAT(Build(CustomSharding("", zero)), invalid);
  EXPECT_THAT(Build(CustomSharding("two words", zero)), invalid);
  EXPECT_THAT(Build(CustomSharding("one,two", zero)), invalid);
  EXPECT_THAT(Build(CustomSharding(std::string(65, 'a'), zero)), invalid);
  EXPECT_THAT(Build(CustomSharding("jump", zero)), invalid);
  EXPECT_THAT(Build(CustomSharding("prefix:length=3", zero)), invalid);
  EXPECT_THAT(Build(PrefixLengthSharding(0)), invalid);
  EXPECT_THAT(Build(PrefixLengthSharding(65536)), invalid);
  EXPECT_OK(Build(CustomSharding("mine", zero)));
}

// Keys that start with "x" have no shard.
ShardingFuncPtr WithoutX() {
  return CustomSharding("without-x", [](const Slice& key, uint32_t shards) {
    return key.starts_with("x") ? shards
                                : static_cast<uint32_t>(key.size()) % shards;
  });
}

TEST(BadShardingFuncTest, AnAnswerOutOfRangeIsAnErrorOfThatCall) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ShardingDb> db, Build(WithoutX()));
  ASSERT_OK(db->Put(WriteOptions(), "a", "1"));
  const auto invalid =
      LevelDbStatusIs(LevelDbCode::kInvalidArgument, HasSubstr("without-x"));
  EXPECT_THAT(db->Put(WriteOptions(), "x", "2"), invalid);
  EXPECT_THAT(db->Delete(WriteOptions(), "x"), invalid);
  std::string value = "before";
  EXPECT_THAT(db->Get(ReadOptions(), "x", &value), invalid);
  EXPECT_EQ(value, "before");
  bool found = true;
  EXPECT_THAT(db->Has(ReadOptions(), "x", &found), invalid);
  std::vector<std::string> values;
  EXPECT_THAT(db->MultiGet(ReadOptions(), {"a", "x", "bb"}, &values),
              ElementsAre(IsOk(), invalid, IsLevelDbNotFound()));
  EXPECT_THAT(values, ElementsAre("1", "", ""));
  const ScopedSnapshot snapshot(db.get());
  ReadOptions options;
  options.snapshot = snapshot.get();
  EXPECT_THAT(db->Get(options, "x", &value), invalid);
  EXPECT_THAT(db->MultiGet(options, {"x"}, &values), ElementsAre(invalid));

  // Ranges and iterators concern no single key.
  const auto range_iterator = db->NewRangeIterator(ReadOptions(), {"x", "z"});
  EXPECT_THAT(ScanBothWays(range_iterator.get()), IsEmpty());
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(ReadOptions()));
  iterator->Seek("x");
  EXPECT_FALSE(iterator->Valid());
  EXPECT_OK(iterator->status());
}

TEST(BadShardingFuncTest, ABatchWithAKeyThatHasNoShardChangesNothing) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ShardingDb> db, Build(WithoutX()));
  ASSERT_OK(db->Put(WriteOptions(), "a", "1"));
  for (const bool put : {true, false}) {
    leveldb::WriteBatch batch;
    batch.Put("a", "2");
    batch.Put("bb", "2");
    if (put) {
      batch.Put("x", "2");
    } else {
      batch.Delete("x");
    }
    batch.Delete("a");
    EXPECT_THAT(
        db->Write(WriteOptions(), &batch),
        LevelDbStatusIs(LevelDbCode::kInvalidArgument, HasSubstr("without-x")));
    const std::unique_ptr<leveldb::Iterator> iterator(
        db->NewIterator(ReadOptions()));
    EXPECT_THAT(ScanBothWays(iterator.get()),
                ElementsAre(::testing::Pair("a", "1")));
  }
}

}  // namespace
}  // namespace shardingdb
