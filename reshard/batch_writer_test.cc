// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/batch_writer.h"

#include <atomic>
#include <memory>
#include <new>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/generated_set.h"
#include "testing/fault_injection_env.h"
#include "testing/no_threads.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class BatchWriterTest : public ::testing::Test {
 protected:
  BatchWriterTest() { Open(); }

  void Open() {
    leveldb::Options options;
    options.create_if_missing = true;
    options.paranoid_checks = true;
    options.env = &env_;
    leveldb::DB* db = nullptr;
    ASSERT_OK(leveldb::DB::Open(options, folder_, &db));
    db_.reset(db);
  }

  FaultInjectionEnv env_{leveldb::Env::Default()};
  TempDir dir_;
  const std::string folder_ = dir_.Join("db");
  std::unique_ptr<leveldb::DB> db_;
};

TEST_F(BatchWriterTest, WritesEverythingWithBatchesOfAnySize) {
  const Entries entries = GenerateEntries(3, 2000);
  for (size_t batch_bytes : {size_t{1}, size_t{3000}, size_t{1} << 30}) {
    std::atomic<int> batches{0};
    BatchWriter::Options options;
    options.batch_bytes = batch_bytes;
    options.on_batch = [&] { ++batches; };
    BatchWriter writer(db_.get(), options);
    for (const auto& [key, value] : entries) {
      ASSERT_OK(writer.Put(key, value));
    }
    ASSERT_OK(writer.Finish());
    EXPECT_GE(batches, 1);
  }
  db_.reset();
  EXPECT_EQ(ReadFolder(folder_), entries);
}

TEST_F(BatchWriterTest, SaysHowMuchItIsAboutToWrite) {
  size_t bytes = 0;
  BatchWriter::Options options;
  options.batch_bytes = 1;
  options.before_batch = [&](size_t size) { bytes += size; };
  BatchWriter writer(db_.get(), options);
  for (int i = 0; i < 10; ++i) {
    ASSERT_OK(writer.Put("key", std::string(100, 'v')));
  }
  ASSERT_OK(writer.Finish());
  EXPECT_GE(bytes, 1030);
  EXPECT_LT(bytes, 1500);
}

TEST_F(BatchWriterTest, OfNothingWritesNothing) {
  BatchWriter writer(db_.get(), BatchWriter::Options());
  EXPECT_OK(writer.Finish());
  db_.reset();
  EXPECT_EQ(ReadFolder(folder_), Entries());
}

TEST_F(BatchWriterTest, FinishSaysThatTheLastBatchHasFailed) {
  env_.AddFault({{FileOperation::kAppend}, "*.log"});
  BatchWriter writer(db_.get(), BatchWriter::Options());
  ASSERT_OK(writer.Put("key", "value"));
  EXPECT_THAT(writer.Finish(),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("injected")));
}

// LevelDB appends to its log behind a record that a full disk has cut short,
// and finds the log damaged when it opens the database again.
TEST_F(BatchWriterTest, WritesNothingBehindATornRecord) {
  BatchWriter::Options options;
  options.batch_bytes = 1;
  Entries written;
  {
    BatchWriter writer(db_.get(), options);
    for (int i = 0; i < 10; ++i) {
      const std::string key(1, static_cast<char>('a' + i));
      ASSERT_OK(writer.Put(key, "value"));
      written[key] = "value";
    }
    ASSERT_OK(writer.Finish());
  }
  FileFault torn;
  torn.operations = {FileOperation::kAppend};
  torn.pattern = "*.log";
  torn.count = 1;
  torn.torn_bytes = 3;
  env_.AddFault(torn);
  {
    BatchWriter writer(db_.get(), options);
    leveldb::Status status;
    for (int i = 0; i < 10; ++i) status = writer.Put("later", "value");
    EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kIOError));
    EXPECT_THAT(writer.Finish(),
                LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("injected")));
  }
  db_.reset();
  env_.RemoveAllFaults();
  Open();
  db_.reset();
  EXPECT_EQ(ReadFolder(folder_), written);
}

TEST_F(BatchWriterTest, MayBeLeftWithoutFinishing) {
  BatchWriter writer(db_.get(), BatchWriter::Options());
  EXPECT_OK(writer.Put("key", "value"));
}

TEST_F(BatchWriterTest, WithoutAThreadTheCallerWrites) {
  const Entries entries = GenerateEntries(4, 500);
  {
    const NoThreads no_threads;
    BatchWriter::Options options;
    options.batch_bytes = 3000;
    BatchWriter writer(db_.get(), options);
    for (const auto& [key, value] : entries) {
      ASSERT_OK(writer.Put(key, value));
    }
    ASSERT_OK(writer.Finish());
  }
  db_.reset();
  EXPECT_TRUE(ReadFolder(folder_) == entries);
}

TEST_F(BatchWriterTest, WithoutAThreadNothingIsWrittenAfterAnError) {
  FileFault fault;
  fault.operations = {FileOperation::kAppend};
  fault.pattern = "*.log";
  fault.count = 1;
  env_.AddFault(fault);
  const NoThreads no_threads;
  BatchWriter::Options options;
  options.batch_bytes = 1;
  BatchWriter writer(db_.get(), options);
  EXPECT_TRUE(writer.Put("a", "1").IsIOError());
  EXPECT_TRUE(writer.Put("b", "2").IsIOError());
  EXPECT_TRUE(writer.Finish().IsIOError());
}

TEST_F(BatchWriterTest, ThrowsWhatItsThreadHasThrownAndWritesNoMore) {
  int written = 0;
  BatchWriter::Options options;
  options.batch_bytes = 1;
  options.before_batch = [](size_t) { throw std::bad_alloc(); };
  options.on_batch = [&] { ++written; };
  BatchWriter writer(db_.get(), options);
  EXPECT_THROW(
      {
        for (int i = 0; i < 10; ++i) EXPECT_OK(writer.Put("key", "value"));
      },
      std::bad_alloc);
  EXPECT_THROW((void)writer.Finish(), std::bad_alloc);
  EXPECT_EQ(written, 0);
}

}  // namespace
}  // namespace shardingdb
