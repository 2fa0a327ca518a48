// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_folder.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

constexpr ShardFolder::Rules kOpen = {/*create_if_missing=*/true,
                                      /*error_if_exists=*/false,
                                      /*allow_unfinished_reshard=*/false};

class ShardFolderTest : public ::testing::Test {
 protected:
  TempDir dir_;
  leveldb::Env* const env_ = leveldb::Env::Default();
};

TEST_F(ShardFolderTest, CheckChangesNothing) {
  ShardFolder folder(env_, dir_.Join("a/b"));
  EXPECT_OK(folder.Check(kOpen));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("a")));
  EXPECT_FALSE(folder.had_database());
}

TEST_F(ShardFolderTest, PrepareMakesTheFolderAndFindsItsName) {
  std::filesystem::create_directory_symlink(dir_.path(), dir_.Join("link"));
  ShardFolder folder(env_, dir_.Join("link/a/b/"));
  ASSERT_OK(folder.Check(kOpen));
  ASSERT_OK(folder.Prepare());
  EXPECT_EQ(folder.path(),
            std::filesystem::canonical(dir_.path()).string() + "/a/b");
  EXPECT_TRUE(std::filesystem::is_directory(dir_.Join("a/b")));
}

TEST_F(ShardFolderTest, WhatIsNewIsRemoved) {
  std::filesystem::create_directory(dir_.Join("a"));
  ShardFolder folder(env_, dir_.Join("a/b/c"));
  ASSERT_OK(folder.Check(kOpen));
  ASSERT_OK(folder.Prepare());
  std::ofstream(dir_.Join("a/b/c/CURRENT")) << "MANIFEST-000001\n";
  std::ofstream(dir_.Join("a/b/c/000003.log"));
  folder.RemoveWhatIsNew();
  EXPECT_TRUE(std::filesystem::is_empty(dir_.Join("a")));
}

TEST_F(ShardFolderTest, DataIsNotRemoved) {
  for (const char* file : {"000005.ldb", "000005.sst", "000003.log"}) {
    ShardFolder folder(env_, dir_.Join("a"));
    ASSERT_OK(folder.Check(kOpen));
    ASSERT_OK(folder.Prepare());
    std::ofstream(dir_.Join("a/CURRENT")) << "MANIFEST-000001\n";
    std::ofstream(dir_.Join("a/") + file) << "somebody's entries";
    folder.RemoveWhatIsNew();
    EXPECT_TRUE(std::filesystem::exists(dir_.Join("a/CURRENT"))) << file;
    EXPECT_TRUE(std::filesystem::exists(dir_.Join("a/") + file));
    std::filesystem::remove_all(dir_.Join("a"));
  }
}

TEST_F(ShardFolderTest, AFolderThatSomebodyElseClaimedIsLeftAlone) {
  ShardFolder first(env_, dir_.Join("a"));
  ShardFolder second(env_, dir_.Join("a"));
  ASSERT_OK(first.Check(kOpen));
  ASSERT_OK(second.Check(kOpen));
  ASSERT_OK(first.Prepare());
  EXPECT_THAT(second.Prepare(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  second.RemoveWhatIsNew();
  EXPECT_TRUE(std::filesystem::is_directory(dir_.Join("a")));
}

TEST_F(ShardFolderTest, AnythingThatIsNotLevelDbsStays) {
  ShardFolder folder(env_, dir_.Join("a"));
  ASSERT_OK(folder.Check(kOpen));
  ASSERT_OK(folder.Prepare());
  std::ofstream(dir_.Join("a/notes.txt")) << "mine";
  folder.RemoveWhatIsNew();
  EXPECT_TRUE(std::filesystem::exists(dir_.Join("a/notes.txt")));
}

}  // namespace
}  // namespace shardingdb
