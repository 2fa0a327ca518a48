// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What a cut descriptor does not name is not removed (patch 0011).

#include <cstddef>
#include <memory>
#include <string>
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

// The tables that the lost records name hold entries whose logs are removed.
TEST(CutDescriptorTest, IsRefused) {
  const std::unique_ptr<leveldb::Env> memory(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  Database db(memory.get());
  ASSERT_OK(db.Open());
  for (int i = 0; i < 8; ++i) {
    ASSERT_OK(db.Put(absl::StrCat("key", i), "1"));
    const leveldb::Slice begin("~1"), end("~2");
    db->CompactRange(&begin, &end);  // only writes the memtable out
  }
  db.Close();
  const Files files = ReadFiles(memory.get());
  const std::vector<std::string> tables = NamesWith(".ldb", files);
  ASSERT_EQ(tables.size(), 8);
  const std::string name = NamesWith("MANIFEST", files).at(0);
  const std::vector<size_t> offsets = RecordOffsets(files.at(name));
  for (size_t record = 2; record < offsets.size(); ++record) {
    Files cut = files;
    cut[name].resize(offsets[record] + 10);
    const std::unique_ptr<leveldb::Env> env = EnvWithFiles(cut);
    Database again(env.get());
    EXPECT_THAT(again.Open(),
                LevelDbStatusIs(LevelDbCode::kCorruption,
                                HasSubstr("descriptor is cut off")))
        << "record " << record;
    EXPECT_EQ(NamesWith(".ldb", ReadFiles(env.get())), tables);
  }
}

}  // namespace
}  // namespace shardingdb
