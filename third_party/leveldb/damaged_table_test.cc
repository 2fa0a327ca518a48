// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// LevelDB 1.23 verifies the checksums of data blocks only where a read asks for
// it. A filter block that is damaged hides keys, and a compaction gives damaged
// entries new checksums.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

constexpr int kEntries = 60;

std::string Key(int i) { return absl::StrCat("key", 100 + i); }
std::string Value(int i) { return absl::StrCat("value of ", Key(i)); }

class DamagedTable : public ::testing::Test {
 protected:
  DamagedTable() : filter_(leveldb::NewBloomFilterPolicy(10)) {
    options_.create_if_missing = true;
    options_.filter_policy = filter_.get();
    options_.block_size = 256;
    options_.compression = leveldb::kNoCompression;
  }

  // Opens the database in memory whose files are `files_`, with byte `offset`
  // of the table changed.
  void OpenDamaged(size_t offset) {
    db_.reset();
    env_.reset(leveldb::NewMemEnv(leveldb::Env::Default()));
    options_.env = env_.get();
    ASSERT_OK(env_->CreateDir("/db"));
    for (const auto& [name, contents] : files_) {
      std::string bytes = contents;
      if (name == table_) bytes[offset] = static_cast<char>(bytes[offset] ^ 4);
      ASSERT_OK(leveldb::WriteStringToFile(env_.get(), bytes, "/db/" + name));
    }
    leveldb::DB* db = nullptr;
    const leveldb::Status status = leveldb::DB::Open(options_, "/db", &db);
    db_.reset(db);
    ASSERT_OK(status);
  }

  // One table of kEntries entries.
  void MakeFiles() {
    const std::unique_ptr<leveldb::Env> env(
        leveldb::NewMemEnv(leveldb::Env::Default()));
    options_.env = env.get();
    leveldb::DB* raw = nullptr;
    ASSERT_OK(leveldb::DB::Open(options_, "/db", &raw));
    std::unique_ptr<leveldb::DB> db(raw);
    for (int i = 0; i < kEntries; ++i) {
      ASSERT_OK(db->Put(leveldb::WriteOptions(), Key(i), Value(i)));
    }
    db->CompactRange(nullptr, nullptr);
    db.reset();
    std::vector<std::string> names;
    ASSERT_OK(env->GetChildren("/db", &names));
    for (const std::string& name : names) {
      std::string contents;
      if (name == "LOCK") continue;
      ASSERT_OK(leveldb::ReadFileToString(env.get(), "/db/" + name, &contents));
      if (absl::EndsWith(name, ".ldb")) table_ = name;
      files_.emplace_back(name, contents);
      if (name == table_) table_size_ = contents.size();
    }
    ASSERT_GT(table_size_, 0);
  }

  // Every entry is right, or an error is reported.
  void ExpectNoWrongAnswer(size_t offset) {
    for (int i = 0; i < kEntries; ++i) {
      leveldb::ReadOptions read;
      read.verify_checksums = true;
      std::string value;
      const leveldb::Status status = db_->Get(read, Key(i), &value);
      ASSERT_FALSE(status.IsNotFound()) << Key(i) << ", byte " << offset;
      if (status.ok()) {
        ASSERT_EQ(value, Value(i)) << "byte " << offset;
      }
    }
  }

  const std::unique_ptr<const leveldb::FilterPolicy> filter_;
  leveldb::Options options_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::string table_;
  size_t table_size_ = 0;
  std::unique_ptr<leveldb::Env> env_;
  std::unique_ptr<leveldb::DB> db_;
};

TEST_F(DamagedTable, IsNeverAWrongAnswer) {
  MakeFiles();
  for (size_t offset = 0; offset < table_size_; ++offset) {
    OpenDamaged(offset);
    ASSERT_NO_FATAL_FAILURE(ExpectNoWrongAnswer(offset));
  }
}

TEST_F(DamagedTable, GetsNoNewChecksumsFromACompaction) {
  MakeFiles();
  for (size_t offset = 0; offset < table_size_; offset += 5) {
    OpenDamaged(offset);
    // Overlaps the table, so that it is rewritten if it can be read.
    ASSERT_OK(db_->Put(leveldb::WriteOptions(), Key(0), Value(0)));
    ASSERT_OK(db_->Put(leveldb::WriteOptions(), Key(kEntries - 1),
                       Value(kEntries - 1)));
    db_->CompactRange(nullptr, nullptr);
    ASSERT_NO_FATAL_FAILURE(ExpectNoWrongAnswer(offset));
  }
}

}  // namespace
}  // namespace shardingdb
