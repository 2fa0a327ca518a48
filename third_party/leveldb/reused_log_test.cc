// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Nothing is written behind a torn record where logs are reused (patch 0010).

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"
#include "third_party/leveldb/files.h"

namespace shardingdb {
namespace {

// Writes the memtable out, and nothing else.
void Flush(Database* db) {
  const leveldb::Slice begin("~1"), end("~2");
  (*db)->CompactRange(&begin, &end);
}

// A database with a log whose last record is of `size` bytes.
Files FilesWithLog(size_t size) {
  const std::unique_ptr<leveldb::Env> env(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  Database db(env.get());
  EXPECT_OK(db.Open());
  EXPECT_OK(db.Put("before", "1"));
  EXPECT_OK(db.Put("last", std::string(size, 'l')));
  db.Close();
  return ReadFiles(env.get());
}

// What is written where logs are reused is there at the next opening.
void ExpectNothingIsLost(const Files& files) {
  const std::unique_ptr<leveldb::Env> env = EnvWithFiles(files);
  Database db(env.get());
  db.options()->reuse_logs = true;
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(db.Open());
    ASSERT_EQ(db.Get("before"), "1");
    for (int j = 0; j < i; ++j) {
      ASSERT_EQ(db.Get(absl::StrCat("after", j)), "2") << i;
    }
    ASSERT_OK(db.Put(absl::StrCat("after", i), "2"));
    db.Close();
  }
}

TEST(ReusedLogTest, EndsInATornRecord) {
  Files files = FilesWithLog(50);
  std::string& log = files[NamesWith(".log", files).at(0)];
  const size_t whole = RecordOffsets(log).back();
  for (size_t size = log.size(); size >= whole; --size) {
    log.resize(size);
    ASSERT_NO_FATAL_FAILURE(ExpectNothingIsLost(files)) << "cut at " << size;
  }
}

// A record of three parts, of which some are whole.
TEST(ReusedLogTest, EndsInPartsOfARecord) {
  Files files = FilesWithLog(70000);
  std::string& log = files[NamesWith(".log", files).at(0)];
  const std::vector<size_t> offsets = RecordOffsets(log);
  ASSERT_EQ(offsets.size(), 4);
  for (const size_t size :
       {offsets[3] + 100, offsets[3], offsets[2] + 100, offsets[2]}) {
    log.resize(size);
    ASSERT_NO_FATAL_FAILURE(ExpectNothingIsLost(files)) << "cut at " << size;
  }
}

TEST(ReusedLogTest, EndsInZerosOrDamage) {
  const Files files = FilesWithLog(50);
  const std::string name = NamesWith(".log", files).at(0);
  Files zeros = files;
  zeros[name].append(100, '\0');
  ASSERT_NO_FATAL_FAILURE(ExpectNothingIsLost(zeros));
  Files damaged = files;
  damaged[name].back() = 'x';
  ASSERT_NO_FATAL_FAILURE(ExpectNothingIsLost(damaged));
}

TEST(ReusedLogTest, IsReusedIfItIsWhole) {
  const Files files = FilesWithLog(50);
  const std::unique_ptr<leveldb::Env> env = EnvWithFiles(files);
  Database db(env.get());
  db.options()->reuse_logs = true;
  ASSERT_OK(db.Open());
  db.Close();
  for (const char* part : {".log", "MANIFEST"}) {
    EXPECT_EQ(NamesWith(part, ReadFiles(env.get())), NamesWith(part, files));
  }
}

TEST(ReusedDescriptorTest, EndsInATornRecord) {
  // Its last record notes the table, and the log before it is still there, as
  // it is after a crash.
  const Files with_log = FilesWithLog(50);
  const std::unique_ptr<leveldb::Env> env = EnvWithFiles(with_log);
  Database db(env.get());
  db.options()->reuse_logs = true;
  ASSERT_OK(db.Open());
  Flush(&db);
  db.Close();
  Files files = ReadFiles(env.get());
  files.insert(with_log.begin(), with_log.end());
  std::string& descriptor = files[NamesWith("MANIFEST", files).at(0)];
  const size_t whole = RecordOffsets(descriptor).back();
  for (size_t size = descriptor.size() - 1; size > whole; --size) {
    descriptor.resize(size);
    const std::unique_ptr<leveldb::Env> crashed = EnvWithFiles(files);
    Database again(crashed.get());
    again.options()->reuse_logs = true;
    for (int i = 0; i < 3; ++i) {
      ASSERT_OK(again.Open()) << "cut at " << size;
      ASSERT_EQ(again.Get("before"), "1");
      if (i > 0) {
        ASSERT_EQ(again.Get("after"), "2");
      }
      ASSERT_OK(again.Put("after", "2"));
      Flush(&again);
      again.Close();
    }
  }
}

}  // namespace
}  // namespace shardingdb
