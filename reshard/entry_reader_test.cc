// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/entry_reader.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "reshard/generated_set.h"
#include "shardingdb/sharding_func.h"
#include "testing/fault_injection_env.h"
#include "testing/no_threads.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class EntryReaderTest : public ::testing::Test {
 protected:
  EntryReaderTest() { WriteSet({folder_}, JumpSharding(), entries_); }

  std::unique_ptr<leveldb::DB> Open() {
    leveldb::Options options;
    options.env = &env_;
    leveldb::DB* db = nullptr;
    EXPECT_OK(leveldb::DB::Open(options, folder_, &db));
    return std::unique_ptr<leveldb::DB>(db);
  }

  FaultInjectionEnv env_{leveldb::Env::Default()};
  TempDir dir_;
  const std::string folder_ = dir_.Join("db");
  const Entries entries_ = GenerateEntries(1, 2000);
};

TEST_F(EntryReaderTest, ReadsEveryEntryInOrderWithBlocksOfAnySize) {
  const std::unique_ptr<leveldb::DB> db = Open();
  for (size_t block_bytes : {size_t{1}, size_t{1000}, size_t{1} << 30}) {
    EntryReader::Options options;
    options.block_bytes = block_bytes;
    EntryReader reader(db.get(), options);
    reader.Begin();
    for (const auto& [key, value] : entries_) {
      ASSERT_TRUE(reader.Valid());
      ASSERT_EQ(reader.key().ToString(), key);
      ASSERT_EQ(reader.value().ToString(), value);
      reader.Next();
    }
    EXPECT_FALSE(reader.Valid());
    EXPECT_OK(reader.status());
  }
}

TEST_F(EntryReaderTest, HashesWhenAsked) {
  const std::unique_ptr<leveldb::DB> db = Open();
  EntryReader::Options options;
  options.hash = true;
  options.block_bytes = 4096;
  EntryReader reader(db.get(), options);
  MultisetDigest digest;
  for (reader.Begin(); reader.Valid(); reader.Next()) digest.Add(reader.hash());
  EXPECT_OK(reader.status());
  EXPECT_EQ(digest, DigestOf(entries_));
}

TEST_F(EntryReaderTest, AnEntryOutlivesOneStep) {
  const std::unique_ptr<leveldb::DB> db = Open();
  EntryReader::Options options;
  options.block_bytes = 1;  // every entry in a block of its own
  EntryReader reader(db.get(), options);
  reader.Begin();
  for (const auto& [key, value] : entries_) {
    const leveldb::Slice read_key = reader.key();
    const leveldb::Slice read_value = reader.value();
    reader.Next();
    ASSERT_EQ(read_key.ToString(), key);
    ASSERT_EQ(read_value.ToString(), value);
  }
}

TEST_F(EntryReaderTest, SeesTheDatabaseAsItWas) {
  const std::unique_ptr<leveldb::DB> db = Open();
  EntryReader::Options options;
  options.block_bytes = 1;
  EntryReader reader(db.get(), options);
  for (const auto& [key, value] : entries_) {
    ASSERT_OK(db->Delete(leveldb::WriteOptions(), key));
  }
  size_t seen = 0;
  for (reader.Begin(); reader.Valid(); reader.Next()) ++seen;
  EXPECT_EQ(seen, entries_.size());
}

TEST_F(EntryReaderTest, AnEmptyDatabaseEndsAtOnce) {
  WriteSet({dir_.Join("empty")}, JumpSharding(), {});
  leveldb::DB* raw = nullptr;
  ASSERT_OK(leveldb::DB::Open(leveldb::Options(), dir_.Join("empty"), &raw));
  const std::unique_ptr<leveldb::DB> db(raw);
  EntryReader reader(db.get(), EntryReader::Options());
  reader.Begin();
  EXPECT_FALSE(reader.Valid());
  EXPECT_OK(reader.status());
}

TEST_F(EntryReaderTest, EndsWithTheErrorOfReading) {
  const std::unique_ptr<leveldb::DB> db = Open();
  env_.AddFault({{FileOperation::kRead}, "*.ldb"});
  EntryReader reader(db.get(), EntryReader::Options());
  for (reader.Begin(); reader.Valid(); reader.Next()) {
  }
  EXPECT_THAT(reader.status(),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("injected")));
}

// LevelDB goes on past a table that it cannot read, and shows what that one has
// overwritten and deleted.
TEST_F(EntryReaderTest, NothingStaleIsShownAfterAnErrorOfReading) {
  for (uint64_t skip = 0;; ++skip) {
    SCOPED_TRACE(skip);
    const std::unique_ptr<leveldb::DB> db = Open();
    FileFault fault;
    fault.operations = {FileOperation::kRead};
    fault.pattern = "*.ldb";
    fault.skip = skip;
    fault.count = 1;
    const int number = env_.AddFault(fault);
    EntryReader::Options options;
    options.block_bytes = 1;
    EntryReader reader(db.get(), options);
    for (reader.Begin(); reader.Valid(); reader.Next()) {
      const auto entry = entries_.find(reader.key().ToString());
      ASSERT_NE(entry, entries_.end());
      ASSERT_EQ(entry->second, reader.value().ToString());
    }
    if (env_.Failures(number) == 0) break;
    EXPECT_THAT(reader.status(),
                LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("injected")));
    env_.RemoveAllFaults();
  }
}

TEST_F(EntryReaderTest, IsStopped) {
  const std::unique_ptr<leveldb::DB> db = Open();
  const std::atomic<bool> stop{true};
  EntryReader::Options options;
  options.block_bytes = 1;
  options.stop = &stop;
  EntryReader reader(db.get(), options);
  reader.Begin();
  EXPECT_FALSE(reader.Valid());
  EXPECT_THAT(reader.status(),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("stopped")));
}

TEST_F(EntryReaderTest, MayBeLeftInTheMiddle) {
  const std::unique_ptr<leveldb::DB> db = Open();
  EntryReader::Options options;
  options.block_bytes = 1;
  {
    EntryReader never_begun(db.get(), options);
    EntryReader reader(db.get(), options);
    reader.Begin();
    reader.Next();
    EXPECT_TRUE(reader.Valid());
  }
}

TEST_F(EntryReaderTest, WithoutAThreadItIsAnError) {
  const std::unique_ptr<leveldb::DB> db = Open();
  const NoThreads no_threads;
  EntryReader reader(db.get(), EntryReader::Options());
  reader.Begin();
  EXPECT_FALSE(reader.Valid());
  EXPECT_TRUE(reader.status().IsIOError());
  EXPECT_THAT(reader.status().ToString(), HasSubstr("cannot start a thread"));
}

// A database that cannot be read for want of memory. LevelDB itself does not
// give back what it holds when that happens within.
class NoMemoryDb final : public leveldb::DB {
 public:
  leveldb::Iterator* NewIterator(const leveldb::ReadOptions&) override {
    return new NoMemoryIterator();
  }
  leveldb::Status Put(const leveldb::WriteOptions&, const leveldb::Slice&,
                      const leveldb::Slice&) override {
    return leveldb::Status::OK();
  }
  leveldb::Status Delete(const leveldb::WriteOptions&,
                         const leveldb::Slice&) override {
    return leveldb::Status::OK();
  }
  leveldb::Status Write(const leveldb::WriteOptions&,
                        leveldb::WriteBatch*) override {
    return leveldb::Status::OK();
  }
  leveldb::Status Get(const leveldb::ReadOptions&, const leveldb::Slice&,
                      std::string*) override {
    return leveldb::Status::OK();
  }
  const leveldb::Snapshot* GetSnapshot() override { return nullptr; }
  void ReleaseSnapshot(const leveldb::Snapshot*) override {}
  bool GetProperty(const leveldb::Slice&, std::string*) override {
    return false;
  }
  void GetApproximateSizes(const leveldb::Range*, int, uint64_t*) override {}
  void CompactRange(const leveldb::Slice*, const leveldb::Slice*) override {}

 private:
  class NoMemoryIterator final : public leveldb::Iterator {
   public:
    bool Valid() const override { return false; }
    void SeekToFirst() override { throw std::bad_alloc(); }
    void SeekToLast() override {}
    void Seek(const leveldb::Slice&) override {}
    void Next() override {}
    void Prev() override {}
    leveldb::Slice key() const override { return ""; }
    leveldb::Slice value() const override { return ""; }
    leveldb::Status status() const override { return leveldb::Status::OK(); }
  };
};

TEST(EntryReaderThrowTest, ThrowsWhatItsThreadHasThrown) {
  NoMemoryDb db;
  EntryReader reader(&db, EntryReader::Options());
  EXPECT_THROW(reader.Begin(), std::bad_alloc);
}

}  // namespace
}  // namespace shardingdb
