// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The command drop of the program keyring, on databases.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/run_program.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class KeyringDropTest : public ::testing::Test {
 protected:
  ProgramResult Run(std::vector<std::string> words) {
    words.push_back("--ring=" + dir_.Join("KEYRING"));
    words.push_back("--kek-file=" + dir_.Join("kek"));
    return RunProgram("crypto/keyring", words);
  }

  ProgramResult Drop(uint32_t id, const std::vector<std::string>& folders) {
    return Run({"drop", absl::StrCat(id),
                "--databases=" + absl::StrJoin(folders, ",")});
  }

  std::unique_ptr<KeyRingFile> OpenRing() {
    const auto kek = RawKekFromFile(dir_.Join("kek"));
    EXPECT_OK(kek.status());
    auto file = KeyRingFile::Open(dir_.Join("KEYRING"), **kek);
    EXPECT_OK(file.status());
    return *std::move(file);
  }

  std::unique_ptr<ShardingDb> OpenDb(const KeyRingFile& ring) {
    auto db = ShardingDbBuilder()
                  .WithDbPaths(folders_)
                  .WithEncryption(ring.ring())
                  .Build();
    EXPECT_OK(db.status());
    return *std::move(db);
  }

  const TempDir dir_;
  const std::vector<std::string> folders_ = {dir_.Join("a"), dir_.Join("b")};
};

TEST_F(KeyringDropTest, AKeyGoesWhenNoValueNeedsIt) {
  ASSERT_EQ(Run({"create"}).exit_code, 0);
  const std::unique_ptr<KeyRingFile> ring = OpenRing();
  const uint32_t first = ring->ring()->primary_id();
  std::unique_ptr<ShardingDb> db = OpenDb(*ring);
  for (int i = 0; i < 100; ++i)
    ASSERT_OK(db->Put(leveldb::WriteOptions(), absl::StrCat(i), "value"));

  ProgramResult result = Drop(first, folders_);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("another process has the database open"));
  db.reset();
  result = Drop(first, folders_);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("is the primary and cannot be dropped"));

  ASSERT_EQ(Run({"rotate"}).exit_code, 0);
  ASSERT_OK(ring->Reload());
  result = Drop(first, folders_);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr(absl::StrCat("key id ", first)),
                                HasSubstr(folders_[0] + ": key 0x"),
                                HasSubstr("its value is sealed with it")));
  result = Drop(first, {folders_[0], dir_.Join("nowhere")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("nowhere"));

  db = OpenDb(*ring);
  ASSERT_OK(db->Rekey().status());
  db.reset();
  result = Drop(first, folders_);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.LastLine(),
            absl::StrCat("keyring: key ", first, " is dropped"));
  EXPECT_THAT(Run({"list"}).out, HasSubstr("dropped\n"));
  EXPECT_THAT(Run({"check"}).out, HasSubstr("keys=1 disabled=0 dropped=1"));
  EXPECT_EQ(Drop(first, folders_).exit_code, 3);  // not again

  db = OpenDb(*OpenRing());
  for (int i = 0; i < 100; ++i) {
    std::string value;
    ASSERT_OK(db->Get(leveldb::ReadOptions(), absl::StrCat(i), &value));
    EXPECT_EQ(value, "value");
  }
}

TEST_F(KeyringDropTest, ADatabaseThatIsNotOfTheRingSaysNothingOfItsKeys) {
  ASSERT_EQ(Run({"create"}).exit_code, 0);
  const std::unique_ptr<KeyRingFile> ring = OpenRing();
  const uint32_t first = ring->ring()->primary_id();
  ASSERT_OK(OpenDb(*ring)->Put(leveldb::WriteOptions(), "key", "value"));
  ASSERT_EQ(Run({"rotate"}).exit_code, 0);

  const std::string plain = dir_.Join("plain");
  const std::string other = dir_.Join("other");
  const auto open_plain = [&plain] {
    return ShardingDbBuilder().WithDbPaths({plain}).Build();
  };
  {
    ASSERT_OK_AND_ASSIGN(const auto plain_db, open_plain());
    ASSERT_OK(plain_db->Put(leveldb::WriteOptions(), "key", "value"));
    ASSERT_OK_AND_ASSIGN(const auto other_ring, KeyRing::Generate());
    ASSERT_OK_AND_ASSIGN(const auto other_db, ShardingDbBuilder()
                                                  .WithDbPaths({other})
                                                  .WithEncryption(other_ring)
                                                  .Build());
    ASSERT_OK(other_db->Put(leveldb::WriteOptions(), "key", "value"));
  }
  for (const std::string& folder : {plain, other}) {
    const ProgramResult result = Drop(first, {folder});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err,
                HasSubstr(folder + ": is not a database of this ring"));
  }
  EXPECT_THAT(Run({"check"}).out, HasSubstr("keys=2 disabled=0 dropped=0"));

  // Without values it may be of any ring.
  {
    ASSERT_OK_AND_ASSIGN(const auto plain_db, open_plain());
    ASSERT_OK(plain_db->Delete(leveldb::WriteOptions(), "key"));
  }
  const ProgramResult result = Drop(first, {plain});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(KeyringDropTest, SomethingMustBeSaidOfDatabases) {
  ASSERT_EQ(Run({"create"}).exit_code, 0);
  const uint32_t first = OpenRing()->ring()->primary_id();
  ASSERT_EQ(Run({"rotate"}).exit_code, 0);
  const std::string id = absl::StrCat(first);
  EXPECT_EQ(Run({"drop", id}).exit_code, 1);
  EXPECT_EQ(
      Run({"drop", id, "--without-databases", "--databases=/a"}).exit_code, 1);
  EXPECT_EQ(Run({"rotate", "--without-databases"}).exit_code, 1);
  EXPECT_EQ(Run({"drop", "--without-databases"}).exit_code, 1);
  const ProgramResult result = Run({"drop", id, "--without-databases"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace
}  // namespace shardingdb
