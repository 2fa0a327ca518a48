// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What is special to the router; what it shares with every DbHandle is in the
// conformance suite of //testing.

#include "shardingdb/shard_router.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fault_injecting_db_handle.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"
#include "testing/threads.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Sends a key to the shard that its first byte names.
ShardingFuncPtr FirstDigit() {
  return CustomSharding("first-digit", [](const leveldb::Slice& key, uint32_t) {
    return static_cast<uint32_t>(key.empty() ? 0 : key[0] - '0');
  });
}

struct Router {
  std::vector<ModelDb*> shards;
  std::unique_ptr<ShardRouter> db;
};

Router NewRouter(int count, ShardingFuncPtr function = FirstDigit()) {
  Router router;
  std::vector<std::unique_ptr<DbHandle>> shards;
  for (int i = 0; i < count; ++i) {
    auto shard = std::make_unique<ModelDb>();
    router.shards.push_back(shard.get());
    shards.push_back(std::move(shard));
  }
  auto db = ShardRouter::New(std::move(shards), std::move(function));
  EXPECT_OK(db.status());
  router.db = *std::move(db);
  return router;
}

std::string GetFrom(leveldb::DB* db, const std::string& key) {
  std::string value;
  const leveldb::Status status = db->Get(leveldb::ReadOptions(), key, &value);
  return status.ok()           ? value
         : status.IsNotFound() ? "NotFound"
                               : status.ToString();
}

leveldb::Status WriteToAll(leveldb::DB* db, const std::string& name) {
  leveldb::WriteBatch batch;
  for (const char* shard : {"0", "1", "2"}) batch.Put(shard + name, name);
  return db->Write(leveldb::WriteOptions(), &batch);
}

TEST(ShardRouterTest, EveryErrorOfAWriteNamesTheShard) {
  const auto faults = std::make_shared<DbFaults>();
  std::vector<std::unique_ptr<DbHandle>> shards;
  shards.push_back(std::make_unique<ModelDb>());
  shards.push_back(std::make_unique<FaultInjectingDbHandle>(
      std::make_unique<ModelDb>(), faults));
  shards.push_back(std::make_unique<ModelDb>());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ShardRouter> db,
                       ShardRouter::New(std::move(shards), FirstDigit()));
  DbFault fault;
  fault.calls = {DbCall::kPut, DbCall::kDelete, DbCall::kWrite};
  fault.status = leveldb::Status::NotFound("000004.log", "gone");
  faults->Add(fault);
  const auto failed =
      LevelDbStatusIs(LevelDbCode::kNotFound, "shard 1: 000004.log: gone");
  const leveldb::WriteOptions write;
  EXPECT_THAT(db->Put(write, "1", ""), failed);
  EXPECT_THAT(db->Delete(write, "1"), failed);
  EXPECT_THAT(WriteToAll(db.get(), "a"), failed);
}

TEST(ShardRouterTest, ReservedKeysAreNotWritten) {
  const std::string reserved("\xff\xff\xff\xffshardingdb:any");
  const auto refused = LevelDbStatusIs(LevelDbCode::kInvalidArgument,
                                       ::testing::HasSubstr("reserved"));
  for (const int count : {1, 3}) {
    const Router router =
        NewRouter(count, CustomSharding("first", [](const leveldb::Slice&,
                                                    uint32_t) { return 0U; }));
    const leveldb::WriteOptions write;
    EXPECT_THAT(router.db->Put(write, reserved, "value"), refused);
    EXPECT_THAT(router.db->Delete(write, reserved), refused);
    leveldb::WriteBatch puts;
    puts.Put("0", "value");
    puts.Put(reserved, "value");
    EXPECT_THAT(router.db->Write(write, &puts), refused);
    leveldb::WriteBatch deletes;
    deletes.Put("0", "value");
    deletes.Delete(reserved);
    EXPECT_THAT(router.db->Write(write, &deletes), refused);
    EXPECT_EQ(GetFrom(router.db.get(), "0"), "NotFound");
    EXPECT_OK(router.db->Put(write, reserved.substr(0, 10), "value"));
  }
}

// Destructors of thread_local objects, and of static ones, run when those of
// the library may have run already.
TEST(ShardRouterTest, AThreadMayWriteToItsVeryEnd) {
  struct WritesWhenDestroyed {
    ~WritesWhenDestroyed() {
      if (db == nullptr) return;
      EXPECT_OK(WriteToAll(db, "last"));
    }
    leveldb::DB* db = nullptr;
  };
  const Router router = NewRouter(3);
  std::thread([&router] {
    // Made before what the first batch leaves behind, so it ends after that.
    thread_local WritesWhenDestroyed last;
    last.db = router.db.get();
    EXPECT_OK(WriteToAll(router.db.get(), "first"));
  }).join();
  for (const char* key : {"0first", "2first"})
    EXPECT_EQ(GetFrom(router.db.get(), key), "first");
  for (const char* key : {"0last", "1last", "2last"})
    EXPECT_EQ(GetFrom(router.db.get(), key), "last");
}

TEST(ShardRouterTest, NeedsShardsAndAFunction) {
  EXPECT_EQ(ShardRouter::New({}, JumpSharding()).status().code(),
            absl::StatusCode::kInvalidArgument);

  std::vector<std::unique_ptr<DbHandle>> with_null;
  with_null.push_back(std::make_unique<ModelDb>());
  with_null.push_back(nullptr);
  const absl::Status null_shard =
      ShardRouter::New(std::move(with_null), JumpSharding()).status();
  EXPECT_EQ(null_shard.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(null_shard.message()), HasSubstr("shard 1"));

  std::vector<std::unique_ptr<DbHandle>> one;
  one.push_back(std::make_unique<ModelDb>());
  EXPECT_EQ(ShardRouter::New(std::move(one), nullptr).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ShardRouterTest, EachKeyLivesInItsShardOnly) {
  Router router = NewRouter(3);
  leveldb::WriteBatch batch;
  for (const char* key : {"0a", "1a", "2a"}) batch.Put(key, key);
  ASSERT_OK(router.db->Write(leveldb::WriteOptions(), &batch));
  for (int shard = 0; shard < 3; ++shard) {
    for (const char* key : {"0a", "1a", "2a"}) {
      EXPECT_EQ(GetFrom(router.shards[shard], key),
                key[0] - '0' == shard ? key : "NotFound")
          << shard << key;
    }
  }
}

TEST(ShardRouterTest, AFunctionThatAnswersNoShardFailsTheCallAndWritesNothing) {
  Router router = NewRouter(3);
  leveldb::WriteBatch batch;
  batch.Put("0", "v");
  batch.Put("1", "v");
  batch.Put("5", "v");
  EXPECT_TRUE(
      router.db->Write(leveldb::WriteOptions(), &batch).IsInvalidArgument());
  EXPECT_TRUE(
      router.db->Put(leveldb::WriteOptions(), "5", "v").IsInvalidArgument());
  EXPECT_TRUE(
      router.db->Delete(leveldb::WriteOptions(), "5").IsInvalidArgument());
  std::string value;
  bool found;
  EXPECT_TRUE(
      router.db->Get(leveldb::ReadOptions(), "5", &value).IsInvalidArgument());
  EXPECT_TRUE(
      router.db->Has(leveldb::ReadOptions(), "5", &found).IsInvalidArgument());
  std::vector<std::string> values;
  const auto statuses =
      router.db->MultiGet(leveldb::ReadOptions(), {"0", "5"}, &values);
  EXPECT_TRUE(statuses[0].IsNotFound());
  EXPECT_TRUE(statuses[1].IsInvalidArgument());
}

TEST(ShardRouterTest, ErrorsNameTheLowestShardThatFailed) {
  Router router = NewRouter(4);
  ASSERT_OK(router.shards[3]->SetReadOnly(true));
  ASSERT_OK(router.shards[1]->SetReadOnly(true));
  leveldb::WriteBatch batch;
  for (const char* key : {"3", "1", "0"}) batch.Put(key, "v");
  const leveldb::Status status =
      router.db->Write(leveldb::WriteOptions(), &batch);
  EXPECT_TRUE(status.IsNotSupportedError());
  EXPECT_THAT(status.ToString(), HasSubstr("shard 1: "));
}

TEST(ShardRouterTest, AScanWithoutOneOfItsShardsFails) {
  Router router = NewRouter(3);
  for (const char* key : {"0", "1", "2"})
    ASSERT_OK(router.db->Put(leveldb::WriteOptions(), key, "v"));
  ASSERT_OK(router.shards[1]->Close());
  const std::unique_ptr<leveldb::Iterator> iterator(
      router.db->NewIterator(leveldb::ReadOptions()));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsIOError());
  EXPECT_THAT(iterator->status().ToString(), HasSubstr("shard 1: "));
}

TEST(ShardRouterTest, ARangeWithinOnePrefixTouchesOneShard) {
  Router router = NewRouter(4, PrefixSharding('/'));
  for (const char* key : {"a/1", "a/2", "b/1", "c/1", "d/1"}) {
    ASSERT_OK(router.db->Put(leveldb::WriteOptions(), key, "v"));
  }
  const uint32_t home = PrefixSharding('/')->ShardOf("a/1", 4);
  for (uint32_t shard = 0; shard < 4; ++shard) {
    if (shard != home) {
      ASSERT_OK(router.shards[shard]->Close());
    }
  }
  const auto iterator = router.db->NewRangeIterator(leveldb::ReadOptions(),
                                                    leveldb::Range("a/", "a0"));
  std::vector<std::string> keys;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next())
    keys.push_back(iterator->key().ToString());
  EXPECT_OK(iterator->status());
  EXPECT_THAT(keys, ElementsAre("a/1", "a/2"));
}

TEST(ShardRouterTest, RefusesASnapshotOfAnotherDatabase) {
  Router one = NewRouter(2), other = NewRouter(2);
  const ScopedSnapshot snapshot(other.db.get());
  leveldb::ReadOptions options;
  options.snapshot = snapshot.get();
  std::string value;
  EXPECT_TRUE(one.db->Get(options, "0", &value).IsInvalidArgument());
  std::vector<std::string> values;
  EXPECT_TRUE(one.db->MultiGet(options, {"0"}, &values)[0].IsInvalidArgument());
  const std::unique_ptr<leveldb::Iterator> iterator(
      one.db->NewIterator(options));
  EXPECT_TRUE(iterator->status().IsInvalidArgument());

  ModelDb foreign;  // whose snapshots are of another class
  const ScopedSnapshot of_model(&foreign);
  options.snapshot = of_model.get();
  EXPECT_TRUE(one.db->Get(options, "0", &value).IsInvalidArgument());
}

TEST(ShardRouterTest, AddsUpNumbersAndHeadsTexts) {
  Router router = NewRouter(3);
  std::string value;
  ASSERT_TRUE(router.db->GetProperty("shardingdb.shard-count", &value));
  EXPECT_EQ(value, "3");
  ASSERT_TRUE(router.db->GetProperty("shardingdb.sharding-function", &value));
  EXPECT_EQ(value, "first-digit");
  ASSERT_TRUE(router.db->GetProperty("shardingdb.batch-atomicity", &value));
  EXPECT_EQ(value, "per-shard");
  ASSERT_TRUE(router.db->GetProperty("shardingdb.stats", &value));
  EXPECT_THAT(value, HasSubstr("shards: 3\n"));
  EXPECT_FALSE(router.db->GetProperty("leveldb.no-such-property", &value));
}

TEST(ShardRouterTest, AShardCanBeARouterItself) {
  std::vector<std::unique_ptr<DbHandle>> shards;
  std::vector<ShardRouter*> inner;
  for (int i = 0; i < 2; ++i) {
    Router router = NewRouter(3, JumpSharding());
    inner.push_back(router.db.get());
    shards.push_back(std::move(router.db));
  }
  const auto db = ShardRouter::New(std::move(shards), MurmurSharding());
  ASSERT_OK(db.status());
  leveldb::WriteBatch batch;
  for (int i = 0; i < 200; ++i)
    batch.Put(absl::StrCat("key", i), absl::StrCat(i));
  ASSERT_OK((*db)->Write(leveldb::WriteOptions(), &batch));
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(GetFrom(db->get(), absl::StrCat("key", i)), absl::StrCat(i));
  EXPECT_EQ((*db)->GetStats().shards, 6);
}

TEST(ShardRouterTest, SyncedBatchesOverAllShards) {
  Router router = NewRouter(10);
  leveldb::WriteOptions sync;
  sync.sync = true;
  RunThreads(4, [&](int thread) {
    for (int i = 0; i < 50; ++i) {
      leveldb::WriteBatch batch;
      for (int shard = 0; shard < 10; ++shard)
        batch.Put(absl::StrCat(shard, "-", thread), absl::StrCat(i));
      ASSERT_OK(router.db->Write(sync, &batch));
    }
  });
  leveldb::WriteBatch empty;
  EXPECT_OK(router.db->Write(sync, &empty));
  for (int shard = 0; shard < 10; ++shard)
    EXPECT_EQ(GetFrom(router.db.get(), absl::StrCat(shard, "-3")), "49");
}

TEST(ShardRouterTest, ReadOnlyComesAtOnePointInAllShards) {
  Router router = NewRouter(3);
  RunThreads(4, [&](int thread) {
    if (thread == 0) {
      for (int i = 0; i < 50; ++i) {
        ASSERT_OK(router.db->SetReadOnly(true));
        ASSERT_OK(router.db->SetReadOnly(false));
      }
      return;
    }
    for (int i = 0; i < 300; ++i) {
      leveldb::WriteBatch batch;
      for (const char* key : {"0", "1", "2"})
        batch.Put(absl::StrCat(key, thread), absl::StrCat(i));
      const leveldb::Status status =
          router.db->Write(leveldb::WriteOptions(), &batch);
      ASSERT_TRUE(status.ok() || status.IsNotSupportedError())
          << status.ToString();
      const std::string first =
          GetFrom(router.db.get(), absl::StrCat(0, thread));
      ASSERT_EQ(GetFrom(router.db.get(), absl::StrCat(1, thread)), first);
      ASSERT_EQ(GetFrom(router.db.get(), absl::StrCat(2, thread)), first);
    }
  });
}

}  // namespace
}  // namespace shardingdb
