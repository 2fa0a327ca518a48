// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A database does not open without the log that holds its last entries (patch
// 0011).

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"
#include "third_party/leveldb/files.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// Whether logs are reused.
class MissingLogTest : public testing::TestWithParam<bool> {
 protected:
  MissingLogTest() : db_(memory_.get()) {
    db_.options()->reuse_logs = GetParam();
    EXPECT_OK(db_.Open());
    EXPECT_OK(db_.Put("key", "1"));
  }

  // Of the closed database.
  void RemoveLogAndExpectRefused() {
    Files files = ReadFiles(memory_.get());
    ASSERT_EQ(NamesWith(".log", files).size(), 1);
    const std::string log = NamesWith(".log", files)[0];
    files.erase(log);
    const std::unique_ptr<leveldb::Env> env = EnvWithFiles(files);
    Database db(env.get());
    db.options()->reuse_logs = GetParam();
    for (int i = 0; i < 2; ++i) {
      EXPECT_THAT(
          db.Open(),
          LevelDbStatusIs(LevelDbCode::kCorruption,
                          HasSubstr(absl::StrCat("/db/", log, ": missing"))));
    }
    Files after = ReadFiles(env.get());
    for (const std::string& info_log : NamesWith("LOG", after)) {
      after.erase(info_log);
    }
    for (const std::string& info_log : NamesWith("LOG", files)) {
      files.erase(info_log);
    }
    EXPECT_EQ(after, files);
  }

  const std::unique_ptr<leveldb::Env> memory_{
      leveldb::NewMemEnv(leveldb::Env::Default())};
  Database db_;
};

TEST_P(MissingLogTest, OfANewDatabase) {
  db_.Close();
  RemoveLogAndExpectRefused();
}

TEST_P(MissingLogTest, OfADatabaseWithTables) {
  db_->CompactRange(nullptr, nullptr);
  EXPECT_OK(db_.Put("key", "2"));
  db_.Close();
  RemoveLogAndExpectRefused();
}

TEST_P(MissingLogTest, OfADatabaseThatWasOpenedAgain) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(db_.Open());
    EXPECT_OK(db_.Put("key", absl::StrCat(i)));
  }
  db_.Close();
  RemoveLogAndExpectRefused();
}

// A table of the same number is missed all the same.
TEST_P(MissingLogTest, IsNotTheMissingTable) {
  db_->CompactRange(nullptr, nullptr);
  db_.Close();
  Files files = ReadFiles(memory_.get());
  const std::string table = NamesWith(".ldb", files).at(0);
  files.erase(table);
  files[table.substr(0, table.find('.')) + ".log"] = "";
  const std::unique_ptr<leveldb::Env> env = EnvWithFiles(files);
  Database db(env.get());
  EXPECT_THAT(db.Open(), LevelDbStatusIs(LevelDbCode::kCorruption,
                                         HasSubstr("missing files; e.g.")));
}

INSTANTIATE_TEST_SUITE_P(ReuseLogs, MissingLogTest, testing::Bool());

}  // namespace
}  // namespace shardingdb
