// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Resharding and reading databases that this process has open: refused, and
// they stay locked for other processes.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/folders_digest.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Opens a database, which may be known to this library or not.
std::unique_ptr<DbHandle> Open(const std::string& path, bool wrapped) {
  absl::StatusOr<std::unique_ptr<DbHandle>> db;
  if (wrapped) {
    leveldb::DB* opened = nullptr;
    EXPECT_OK(leveldb::DB::Open(leveldb::Options(), path, &opened));
    db = WrapLevelDb(std::unique_ptr<leveldb::DB>(opened));
  } else {
    db = OpenLevelDb(path, ShardOptions());
  }
  EXPECT_OK(db);
  return db.ok() ? *std::move(db) : nullptr;
}

absl::Status Move(const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs) {
  ReshardOptions options;
  options.inputs = inputs;
  options.outputs = outputs;
  return Reshard(options).status();
}

class OwnLockTest : public ::testing::TestWithParam<bool> {
 protected:
  // `call` is refused because this process has `open_` open, and that stays
  // locked, every time.
  void ExpectRefused(const std::function<absl::Status()>& call) {
    {
      const std::unique_ptr<DbHandle> db = Open(open_, GetParam());
      ASSERT_NE(db, nullptr);
      for (int round = 0; round < 2; ++round) {
        EXPECT_THAT(call(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                     AllOf(HasSubstr(open_), HasSubstr("lock"),
                                           HasSubstr("process"))));
        EXPECT_FALSE(AnotherProcessCanLock(open_));
        EXPECT_TRUE(
            AnotherProcessCanLock(open_, LockingProcess::Kind::kGoLevelDb));
      }
    }
    EXPECT_TRUE(AnotherProcessCanLock(open_));
    EXPECT_OK(call());
  }

  const TempDir dir_;
  const std::string a_ = dir_.Join("a");
  const std::string open_ = dir_.Join("b");
};

TEST_P(OwnLockTest, Digest) {
  WriteSet({a_, open_}, JumpSharding(), GenerateEntries(1, 100));
  ExpectRefused([&] { return DigestOfFolders({a_, open_}).status(); });
}

TEST_P(OwnLockTest, ReshardInPlace) {
  WriteSet({a_, open_}, JumpSharding(), GenerateEntries(1, 100));
  ExpectRefused([&] {
    return Move({a_, open_}, {a_, open_, dir_.Join("new")});
  });
}

TEST_P(OwnLockTest, MigrateFromIt) {
  WriteSet({a_, open_}, JumpSharding(), GenerateEntries(1, 100));
  ExpectRefused([&] { return Move({a_, open_}, {dir_.Join("new")}); });
}

TEST_P(OwnLockTest, MigrateIntoIt) {
  WriteSet({a_}, JumpSharding(), GenerateEntries(1, 100));
  ASSERT_OK(OpenLevelDb(open_, ShardOptions()));
  ExpectRefused([&] { return Move({a_}, {open_}); });
}

INSTANTIATE_TEST_SUITE_P(OpenedOrWrapped, OwnLockTest, ::testing::Bool());

}  // namespace
}  // namespace shardingdb
