// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_folder.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "shardingdb/new_folders.h"
#include "testing/fault_injection_env.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr ShardFolder::Rules kOpen = {/*create_if_missing=*/true,
                                      /*error_if_exists=*/false,
                                      /*allow_unfinished_reshard=*/false};

class ShardFolderTest : public ::testing::Test {
 protected:
  TempDir dir_;
  leveldb::Env* const env_ = leveldb::Env::Default();
  NewFolders above_;
};

TEST_F(ShardFolderTest, CheckChangesNothing) {
  ShardFolder folder(env_, dir_.Join("a/b"), &above_);
  EXPECT_OK(folder.Check(kOpen));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("a")));
  EXPECT_FALSE(folder.had_database());
}

TEST_F(ShardFolderTest, PrepareMakesTheFolderAndFindsItsName) {
  std::filesystem::create_directory_symlink(dir_.path(), dir_.Join("link"));
  ShardFolder folder(env_, dir_.Join("link/a/b/"), &above_);
  ASSERT_OK(folder.Check(kOpen));
  ASSERT_OK(folder.Prepare(kOpen));
  EXPECT_EQ(folder.path(),
            std::filesystem::canonical(dir_.path()).string() + "/a/b");
  EXPECT_TRUE(std::filesystem::is_directory(dir_.Join("a/b")));
}

TEST_F(ShardFolderTest, ALinkToNothingIsSaidToBeOne) {
  std::filesystem::create_directory_symlink("nowhere", dir_.Join("link"));
  for (const char* path : {"link", "link/", "link/a/b"}) {
    for (const bool create : {true, false}) {
      ShardFolder folder(env_, dir_.Join(path), &above_);
      ShardFolder::Rules rules = kOpen;
      rules.create_if_missing = create;
      EXPECT_THAT(
          folder.Check(rules),
          StatusIs(absl::StatusCode::kFailedPrecondition,
                   AllOf(StartsWith(dir_.Join(path)),
                         HasSubstr(dir_.Join("link") +
                                   ": is a symbolic link to nothing"))));
    }
  }
}

// LevelDB would wait for somebody to write into it.
TEST_F(ShardFolderTest, APipeInPlaceOfAFileIsRefused) {
  std::filesystem::create_directory(dir_.Join("a"));
  for (const char* name : {"000003.log", "000005.ldb", "000007.sst",
                           "MANIFEST-000002", "LOCK", "LOG"}) {
    std::ofstream(dir_.Join("a/CURRENT")) << "MANIFEST-000002\n";
    ASSERT_EQ(::mkfifo(dir_.Join(absl::StrCat("a/", name)).c_str(), 0600), 0);
    ShardFolder folder(env_, dir_.Join("a"), &above_);
    EXPECT_THAT(
        folder.Check(kOpen),
        StatusIs(absl::StatusCode::kDataLoss,
                 HasSubstr(absl::StrCat("a/", name, ": is not a regular"))));
    std::filesystem::remove(dir_.Join(absl::StrCat("a/", name)));
  }
}

TEST_F(ShardFolderTest, APipeInANewFolderIsRefused) {
  std::filesystem::create_directory(dir_.Join("a"));
  ASSERT_EQ(::mkfifo(dir_.Join("a/LOCK").c_str(), 0600), 0);
  EXPECT_THAT(ShardFolder(env_, dir_.Join("a"), &above_).Check(kOpen),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("a/LOCK: is not a regular")));
}

TEST_F(ShardFolderTest, CurrentIsAFileOrALinkToOne) {
  const std::string current = dir_.Join("a/CURRENT");
  const auto check = [&] {
    return ShardFolder(env_, dir_.Join("a"), &above_).Check(kOpen);
  };
  const auto refused = StatusIs(absl::StatusCode::kDataLoss,
                                StartsWith(current + ": is not a regular"));
  std::filesystem::create_directory(dir_.Join("a"));
  ASSERT_EQ(::mkfifo(current.c_str(), 0600), 0);
  EXPECT_THAT(check(), refused);
  std::filesystem::rename(current, dir_.Join("pipe"));
  std::filesystem::create_symlink(dir_.Join("pipe"), current);
  EXPECT_THAT(check(), refused);
  std::filesystem::remove(dir_.Join("pipe"));
  EXPECT_THAT(check(), refused);
  std::ofstream(dir_.Join("pipe")) << "MANIFEST-000001\n";
  EXPECT_OK(check());
  std::filesystem::remove(current);
  std::filesystem::create_directory(current);
  EXPECT_THAT(check(), refused);
}

TEST_F(ShardFolderTest, WhatIsNewIsRemoved) {
  std::filesystem::create_directory(dir_.Join("a"));
  ShardFolder folder(env_, dir_.Join("a/b/c"), &above_);
  ASSERT_OK(folder.Check(kOpen));
  ASSERT_OK(folder.Prepare(kOpen));
  std::ofstream(dir_.Join("a/b/c/CURRENT")) << "MANIFEST-000001\n";
  std::ofstream(dir_.Join("a/b/c/000003.log"));
  folder.RemoveWhatIsNew();
  EXPECT_TRUE(std::filesystem::is_empty(dir_.Join("a/b")));
  above_.RemoveEmpty();
  EXPECT_TRUE(std::filesystem::is_empty(dir_.Join("a")));
}

TEST_F(ShardFolderTest, DataIsNotRemoved) {
  for (const char* file : {"000005.ldb", "000005.sst", "000003.log"}) {
    ShardFolder folder(env_, dir_.Join("a"), &above_);
    ASSERT_OK(folder.Check(kOpen));
    ASSERT_OK(folder.Prepare(kOpen));
    std::ofstream(dir_.Join("a/CURRENT")) << "MANIFEST-000001\n";
    std::ofstream(dir_.Join("a/") + file) << "somebody's entries";
    folder.RemoveWhatIsNew();
    EXPECT_TRUE(std::filesystem::exists(dir_.Join("a/CURRENT"))) << file;
    EXPECT_TRUE(std::filesystem::exists(dir_.Join("a/") + file));
    std::filesystem::remove_all(dir_.Join("a"));
  }
}

TEST_F(ShardFolderTest, AFolderThatSomebodyElseClaimedIsLeftAlone) {
  ShardFolder first(env_, dir_.Join("a"), &above_);
  ShardFolder second(env_, dir_.Join("a"), &above_);
  ASSERT_OK(first.Check(kOpen));
  ASSERT_OK(second.Check(kOpen));
  ASSERT_OK(first.Prepare(kOpen));
  EXPECT_THAT(second.Prepare(kOpen),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  second.RemoveWhatIsNew();
  EXPECT_TRUE(std::filesystem::is_directory(dir_.Join("a")));
}

// Whoever waits for a lock file that is removed would lock one that others do
// not see.
TEST_F(ShardFolderTest, TheLockFileStaysInAFolderThatStays) {
  std::filesystem::create_directory(dir_.Join("a"));
  ShardFolder folder(env_, dir_.Join("a"), &above_);
  ASSERT_OK(folder.Check(kOpen));
  ASSERT_OK(folder.Prepare(kOpen));
  std::ofstream(dir_.Join("a/CURRENT")) << "MANIFEST-000001\n";
  folder.RemoveWhatIsNew();
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("a/CURRENT")));
  EXPECT_TRUE(std::filesystem::exists(dir_.Join("a/LOCK")));
  EXPECT_TRUE(AnotherProcessCanLock(dir_.Join("a")));
}

TEST_F(ShardFolderTest, EverythingIsRemovedUnderTheLock) {
  FaultInjectionEnv env(env_);
  int removals = 0;
  env.SetObserver([&](FileOperation operation, const std::string&) {
    if (operation != FileOperation::kRemove) return;
    ++removals;
    EXPECT_FALSE(AnotherProcessCanLock(dir_.Join("a")));
  });
  ShardFolder folder(&env, dir_.Join("a"), &above_);
  ASSERT_OK(folder.Check(kOpen));
  ASSERT_OK(folder.Prepare(kOpen));
  std::ofstream(dir_.Join("a/CURRENT")) << "MANIFEST-000001\n";
  folder.RemoveWhatIsNew();
  EXPECT_EQ(removals, 2);  // CURRENT and LOCK
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("a")));
}

TEST_F(ShardFolderTest, ADatabaseThatIsMadeBeforeTheLockIsTakenIsNotNew) {
  ShardFolder folder(env_, dir_.Join("a"), &above_);
  ASSERT_OK(folder.Check(kOpen));
  std::filesystem::create_directory(dir_.Join("a"));
  std::ofstream(dir_.Join("a/CURRENT")) << "MANIFEST-000001\n";
  ASSERT_OK(folder.Prepare(kOpen));
  EXPECT_TRUE(folder.had_database());
  folder.RemoveWhatIsNew();
  EXPECT_TRUE(std::filesystem::exists(dir_.Join("a/CURRENT")));
}

TEST_F(ShardFolderTest, AReshardThatBeginsBeforeTheLockIsTakenIsSeen) {
  ShardFolder folder(env_, dir_.Join("a"), &above_);
  ASSERT_OK(folder.Check(kOpen));
  std::filesystem::create_directory(dir_.Join("a"));
  std::ofstream(dir_.Join("a/RESHARD")) << "-i a -o b";
  EXPECT_THAT(folder.Prepare(kOpen),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("unfinished reshard")));
}

TEST_F(ShardFolderTest, AnythingThatIsNotLevelDbsStays) {
  ShardFolder folder(env_, dir_.Join("a"), &above_);
  ASSERT_OK(folder.Check(kOpen));
  ASSERT_OK(folder.Prepare(kOpen));
  std::ofstream(dir_.Join("a/notes.txt")) << "mine";
  folder.RemoveWhatIsNew();
  EXPECT_TRUE(std::filesystem::exists(dir_.Join("a/notes.txt")));
}

}  // namespace
}  // namespace shardingdb
