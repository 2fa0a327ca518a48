// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// ShardingDb::OpenReadOnly and ShardingDbBuilder::WithReadOnly.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "crypto/key_ring.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/iterator.h"
#include "leveldb/write_batch.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/folder_look.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kEntries = 3000;

std::string Key(int i) { return absl::StrCat("key", i); }
std::string Value(int i) { return absl::StrCat("value of ", i); }

// An Env that notes every call that could change a file.
class NotingEnv final : public leveldb::EnvWrapper {
 public:
  NotingEnv() : EnvWrapper(leveldb::Env::Default()) {}

  leveldb::Status NewWritableFile(const std::string& name,
                                  leveldb::WritableFile** file) override {
    Note(name);
    return target()->NewWritableFile(name, file);
  }
  leveldb::Status NewAppendableFile(const std::string& name,
                                    leveldb::WritableFile** file) override {
    Note(name);
    return target()->NewAppendableFile(name, file);
  }
  leveldb::Status RemoveFile(const std::string& name) override {
    Note(name);
    return target()->RemoveFile(name);
  }
  leveldb::Status CreateDir(const std::string& name) override {
    Note(name);
    return target()->CreateDir(name);
  }
  leveldb::Status RemoveDir(const std::string& name) override {
    Note(name);
    return target()->RemoveDir(name);
  }
  leveldb::Status RenameFile(const std::string& from,
                             const std::string& to) override {
    Note(from);
    return target()->RenameFile(from, to);
  }
  leveldb::Status LockFile(const std::string& name,
                           leveldb::FileLock** lock) override {
    Note(name);
    return target()->LockFile(name, lock);
  }
  leveldb::Status NewLogger(const std::string& name,
                            leveldb::Logger** logger) override {
    Note(name);
    return target()->NewLogger(name, logger);
  }

  const std::string& noted() const { return noted_; }

 private:
  void Note(const std::string& name) { absl::StrAppend(&noted_, name, "\n"); }

  std::string noted_;  // one thread opens, and nobody else changes anything
};

class ReadOnlySetTest : public ::testing::Test {
 protected:
  ReadOnlySetTest() {
    auto key_ring = KeyRing::Generate();
    EXPECT_OK(key_ring.status());
    key_ring_ = *key_ring;
    for (const char* name : {"a", "b", "c"}) paths_.push_back(dir_.Join(name));
    auto db = Writable();
    EXPECT_OK(db.status());
    // Tables, and behind them a log.
    for (int i = 0; i < kEntries; ++i) {
      if (i == kEntries / 2) (*db)->CompactRange(nullptr, nullptr);
      EXPECT_OK((*db)->Put(leveldb::WriteOptions(), Key(i), Value(i)));
    }
    EXPECT_OK((*db)->Delete(leveldb::WriteOptions(), Key(7)));
  }

  ShardingDbBuilder Builder() {
    ShardingDbBuilder builder;
    builder.WithDbPaths(paths_).WithEncryption(key_ring_);
    return builder;
  }
  absl::StatusOr<std::unique_ptr<ShardingDb>> Writable() {
    return Builder().Build();
  }
  absl::StatusOr<std::unique_ptr<ShardingDb>> ReadOnly() {
    return Builder().WithReadOnly().Build();
  }

  std::map<std::string, std::string> Look() {
    std::map<std::string, std::string> all;
    for (const std::string& path : paths_) all.merge(LookAtFolder(path));
    return all;
  }

  static void ExpectAllEntries(ShardingDb* db) {
    std::string value;
    for (int i = 0; i < kEntries; ++i) {
      const leveldb::Status status =
          db->Get(leveldb::ReadOptions(), Key(i), &value);
      if (i == 7) {
        EXPECT_THAT(status, IsLevelDbNotFound());
      } else {
        ASSERT_OK(status);
        EXPECT_EQ(value, Value(i));
      }
    }
    const std::unique_ptr<leveldb::Iterator> iterator(
        db->NewIterator(leveldb::ReadOptions()));
    int entries = 0;
    for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) ++entries;
    EXPECT_OK(iterator->status());
    EXPECT_EQ(entries, kEntries - 1);
  }

  TempDir dir_;
  std::vector<std::string> paths_;
  std::shared_ptr<const KeyRing> key_ring_;
};

TEST_F(ReadOnlySetTest, ReadsEverythingAndChangesNothing) {
  const auto before = Look();
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, ReadOnly());
    ExpectAllEntries(db.get());
    db->CompactRange(nullptr, nullptr);
    ExpectAllEntries(db.get());
    EXPECT_TRUE(db->GetStats().read_only);
    EXPECT_OK(db->Close());
  }
  EXPECT_EQ(Look(), before);
}

TEST_F(ReadOnlySetTest, AsksTheFileSystemForNoChange) {
  NotingEnv env;
  leveldb::Options options;
  options.env = &env;
  options.reuse_logs = true;
  options.create_if_missing = true;
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db,
                         Builder().WithOptions(options).WithReadOnly().Build());
    ExpectAllEntries(db.get());
  }
  EXPECT_EQ(env.noted(), "");
}

TEST_F(ReadOnlySetTest, RefusesWritesForGood) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, ReadOnly());
  const auto read_only =
      LevelDbStatusIs(LevelDbCode::kNotSupported, HasSubstr("read"));
  const leveldb::WriteOptions write;
  leveldb::WriteBatch batch;
  for (int i = 0; i < 10; ++i) batch.Put(Key(i), "new");
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(db->Put(write, "key", "new"), read_only);
    EXPECT_THAT(db->Delete(write, Key(1)), read_only);
    EXPECT_THAT(db->Write(write, &batch), read_only);
    EXPECT_THAT(db->Rekey().status(),
                StatusIs(absl::StatusCode::kUnimplemented));
    EXPECT_THAT(db->SetReadOnly(false), read_only);
    EXPECT_OK(db->SetReadOnly(true));
  }
  ExpectAllEntries(db.get());
}

// read_only_env_test has readers and writers in several processes.
TEST_F(ReadOnlySetTest, NobodyWritesMeanwhileAndNobodyReadsWhatIsBeingWritten) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> reader, ReadOnly());
  EXPECT_THAT(
      Writable().status(),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(paths_[0])));
  leveldb::DB* plain = nullptr;
  EXPECT_THAT(leveldb::DB::Open(leveldb::Options(), paths_[0], &plain),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("lock")));
  reader.reset();
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> writer, Writable());
  EXPECT_THAT(ReadOnly().status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(paths_[0]), HasSubstr("open"))));
  EXPECT_OK(writer->Put(leveldb::WriteOptions(), "more", "value"));
}

TEST_F(ReadOnlySetTest, MakesNothing) {
  paths_.push_back(dir_.Join("missing/folder"));
  const auto before = LookAtFolder(dir_.path());
  EXPECT_THAT(
      ShardingDb::OpenReadOnly(leveldb::Options(), paths_).status(),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("missing/folder")));
  EXPECT_EQ(LookAtFolder(dir_.path()), before);
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("missing")));
}

TEST_F(ReadOnlySetTest, HandlesAreOpenAlready) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<DbHandle> shard,
                       OpenLevelDb(dir_.Join("d"), ShardOptions()));
  std::vector<std::unique_ptr<DbHandle>> shards;
  shards.push_back(std::move(shard));
  EXPECT_THAT(
      ShardingDbBuilder()
          .WithDbHandles(std::move(shards))
          .WithReadOnly()
          .Build()
          .status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("WithReadOnly")));
}

// One shard by itself.
TEST_F(ReadOnlySetTest, AHandleIsReadOnlyForGood) {
  const auto before = Look();
  ShardOptions options;
  options.read_only = true;
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<DbHandle> shard,
                         OpenLevelDb(paths_[1], options));
    EXPECT_THAT(shard->Put(leveldb::WriteOptions(), "key", "value"),
                LevelDbStatusIs(LevelDbCode::kNotSupported, HasSubstr("read")));
    EXPECT_THAT(shard->SetReadOnly(false),
                LevelDbStatusIs(LevelDbCode::kNotSupported, HasSubstr("read")));
    EXPECT_TRUE(shard->GetStats().read_only);
    shard->CompactRange(nullptr, nullptr);
  }
  EXPECT_EQ(Look(), before);
}

}  // namespace
}  // namespace shardingdb
