// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What a cut descriptor does not name is not removed (patch 0011).

#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

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

// Whether logs are reused, and whether checks are paranoid.
class CutDescriptorTest
    : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  // A closed database of eight tables, whose logs are removed.
  CutDescriptorTest() {
    const std::unique_ptr<leveldb::Env> env(
        leveldb::NewMemEnv(leveldb::Env::Default()));
    Database db(env.get());
    db.options()->reuse_logs = std::get<0>(GetParam());
    EXPECT_OK(db.Open());
    for (int i = 0; i < 8; ++i) {
      EXPECT_OK(db.Put(absl::StrCat("key", i), "1"));
      const leveldb::Slice begin("~1"), end("~2");
      db->CompactRange(&begin, &end);  // only writes the memtable out
    }
    db.Close();
    files_ = ReadFiles(env.get());
    tables_ = NamesWith(".ldb", files_);
    EXPECT_EQ(tables_.size(), 8);
    name_ = NamesWith("MANIFEST", files_).at(0);
    offsets_ = RecordOffsets(files_[name_]);
    EXPECT_GE(offsets_.size(), 10);
  }

  void ExpectRefused(size_t size, const std::string& error) {
    Files cut = files_;
    cut[name_].resize(size);
    const std::unique_ptr<leveldb::Env> env = EnvWithFiles(cut);
    Database db(env.get());
    db.options()->reuse_logs = std::get<0>(GetParam());
    db.options()->paranoid_checks = std::get<1>(GetParam());
    EXPECT_THAT(db.Open(),
                LevelDbStatusIs(LevelDbCode::kCorruption, HasSubstr(error)))
        << "cut at " << size;
    EXPECT_EQ(NamesWith(".ldb", ReadFiles(env.get())), tables_);
  }

  Files files_;
  std::vector<std::string> tables_;
  std::string name_;  // of the descriptor
  std::vector<size_t> offsets_;
};

// Within a record, and between two: the tables that the lost records name hold
// entries whose logs are gone.
TEST_P(CutDescriptorTest, IsRefused) {
  // The first descriptor of all begins with a whole one, which names no log;
  // others begin with two records that are only together.
  const size_t whole = std::get<0>(GetParam()) ? 1 : 2;
  for (size_t size = 0; size < files_[name_].size(); ++size) {
    ExpectRefused(size, size < offsets_[whole] ? "entry in descriptor"
                                               : ".log: missing log");
  }
}

INSTANTIATE_TEST_SUITE_P(All, CutDescriptorTest,
                         testing::Combine(testing::Bool(), testing::Bool()));

}  // namespace
}  // namespace shardingdb
