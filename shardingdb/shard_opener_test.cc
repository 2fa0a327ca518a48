// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_opener.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/set_layout.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/shared_resources.h"
#include "testing/fault_injection_env.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

ResourceOptions ForShards(size_t count) {
  ResourceOptions resources;
  resources.shard_count = static_cast<uint32_t>(count);
  return resources;
}

// As a set by JumpSharding.
absl::StatusOr<std::vector<std::unique_ptr<DbHandle>>> OpenSet(
    const std::vector<std::string>& paths, const ShardOptions& options,
    const ResourceOptions& resources) {
  SetLayoutWanted wanted;
  wanted.function = JumpSharding();
  wanted.comparator = options.leveldb.comparator->Name();
  wanted.read_only = options.read_only;
  absl::StatusOr<OpenedSet> set = OpenShards(paths, options, resources, wanted);
  if (!set.ok()) return set.status();
  return std::move(set->shards);
}

absl::Status OpenError(const std::vector<std::string>& paths) {
  return OpenSet(paths, ShardOptions(), ForShards(paths.size())).status();
}

TEST(OpenShardsTest, OpensEachFolder) {
  const TempDir dir;
  std::vector<std::string> paths;
  for (int i = 0; i < 5; ++i)
    paths.push_back(dir.Join(absl::StrCat("shard", i)));
  for (int round = 0; round < 2; ++round) {  // new, then there
    auto shards = OpenSet(paths, ShardOptions(), ForShards(5));
    ASSERT_OK(shards.status());
    ASSERT_EQ(shards->size(), 5);
    for (int i = 0; i < 5; ++i) {
      const std::string expected = absl::StrCat(i);
      std::string value;
      if (round == 0) {
        ASSERT_OK((*shards)[i]->Put(leveldb::WriteOptions(), "key", expected));
      }
      ASSERT_OK((*shards)[i]->Get(leveldb::ReadOptions(), "key", &value));
      EXPECT_EQ(value, expected);
    }
  }
}

TEST(OpenShardsTest, RefusesNoneTooManyAndEmptyNames) {
  EXPECT_EQ(OpenError({}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenError(std::vector<std::string>(kMaxShards + 1, "/x")).code(),
            absl::StatusCode::kInvalidArgument);
  const TempDir dir;
  const absl::Status empty = OpenError({dir.Join("a"), ""});
  EXPECT_EQ(empty.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(empty.message()), HasSubstr("shard 1"));
  EXPECT_FALSE(std::filesystem::exists(dir.Join("a")));
}

TEST(OpenShardsTest, RefusesTwoSpellingsOfOneFolder) {
  const TempDir dir;
  std::filesystem::create_directory(dir.Join("there"));
  std::filesystem::create_directory_symlink(dir.Join("there"),
                                            dir.Join("link"));
  const std::vector<std::vector<std::string>> pairs = {
      {"a", "a"},           {"a", "a/"},
      {"a", "./a"},         {"a", "b/../a"},
      {"there", "link"},    {"there/a", "link/a"},
      {"there", "there/."}, {"a", "b", "c", "a//"},
  };
  for (const std::vector<std::string>& names : pairs) {
    std::vector<std::string> paths;
    for (const std::string& name : names)
      paths.push_back(absl::StrCat(dir.path(), "/", name));
    const absl::Status status = OpenError(paths);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << names.back();
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(absl::StrCat("shards 0 and ", names.size() - 1)));
  }
  EXPECT_FALSE(std::filesystem::exists(dir.Join("a")));
}

TEST(OpenShardsTest, WhenTheThirdOfFiveFailsItIsNamedAndNothingStays) {
  const TempDir dir;
  std::vector<std::string> paths;
  for (int i = 0; i < 5; ++i)
    paths.push_back(dir.Join(absl::StrCat("shard", i)));
  {  // shard 0 was there before, with an entry
    auto first = OpenLevelDb(paths[0], ShardOptions());
    ASSERT_OK(first.status());
    ASSERT_OK((*first)->Put(leveldb::WriteOptions(), "key", "value"));
  }
  std::ofstream(paths[2]) << "a file";

  const absl::Status status = OpenError(paths);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("shard 2: "));
  EXPECT_THAT(std::string(status.message()), HasSubstr(paths[2]));
  for (int made : {1, 3, 4})
    EXPECT_FALSE(std::filesystem::exists(paths[made])) << made;
  EXPECT_EQ(std::filesystem::file_size(paths[2]), 6);

  // Closed again, so it opens; and it holds what it held.
  auto first = OpenLevelDb(paths[0], ShardOptions());
  ASSERT_OK(first.status());
  std::string value;
  ASSERT_OK((*first)->Get(leveldb::ReadOptions(), "key", &value));
  EXPECT_EQ(value, "value");
}

TEST(OpenShardsTest, ALostFolderDoesNotBecomeAnEmptyShard) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b"),
                                          dir.Join("c")};
  {
    auto shards = OpenSet(paths, ShardOptions(), ForShards(3));
    ASSERT_OK(shards.status());
    ASSERT_OK((*shards)[2]->Put(leveldb::WriteOptions(), "key", "value"));
  }
  for (const bool leave_empty_folder : {false, true}) {
    std::filesystem::remove_all(paths[1]);
    if (leave_empty_folder) std::filesystem::create_directory(paths[1]);
    const absl::Status status = OpenError(paths);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(
        std::string(status.message()),
        HasSubstr(paths[1] + ": there is no database, but " + paths[0]));
    EXPECT_FALSE(std::filesystem::exists(paths[1] + "/CURRENT"));
  }
}

// Nothing is left in the others, which are a set that has been in use.
TEST(OpenShardsTest, ALostFolderOfShardsThatWereEmptiedIsMissed) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b"),
                                          dir.Join("c")};
  {
    auto shards = OpenSet(paths, ShardOptions(), ForShards(3));
    ASSERT_OK(shards.status());
    const leveldb::WriteOptions write;
    ASSERT_OK((*shards)[0]->Put(write, "key", "value"));
    ASSERT_OK((*shards)[2]->Put(write, "key", "value"));
    ASSERT_OK((*shards)[0]->Delete(write, "key"));
    (*shards)[0]->CompactRange(nullptr, nullptr);
  }
  // Its logs and tables are gone, but not what was counted.
  ASSERT_OK(OpenSet(paths, ShardOptions(), ForShards(3)).status());
  std::filesystem::remove_all(paths[2]);
  const absl::Status status = OpenError(paths);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(paths[2] + ": there is no database, but " + paths[0]));
  EXPECT_FALSE(std::filesystem::exists(paths[2]));
}

// The names of all files and folders in `folder`.
std::vector<std::string> Names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

// The empty folder where a disk is to be mounted.
TEST(OpenShardsTest, AnUnmountedDiskDoesNotBecomeAnEmptyShardByAFailure) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b"),
                                          dir.Join("c")};
  {
    auto shards = OpenSet(paths, ShardOptions(), ForShards(3));
    ASSERT_OK(shards.status());
    for (const auto& shard : *shards) {
      ASSERT_OK(shard->Put(leveldb::WriteOptions(), "key", "value"));
    }
  }
  std::filesystem::remove_all(paths[1]);
  std::filesystem::create_directory(paths[1]);

  FaultInjectionEnv env(leveldb::Env::Default());  // to see what is made
  ResourceOptions resources = ForShards(3);
  resources.env = &env;
  ShardOptions only_new;
  only_new.leveldb.error_if_exists = true;
  EXPECT_THAT(OpenSet(paths, only_new, resources),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("shard 0")));
  EXPECT_THAT(Names(paths[1]), IsEmpty());
  {
    const auto first = OpenLevelDb(paths[0], ShardOptions());
    const auto third = OpenLevelDb(paths[2], ShardOptions());
    ASSERT_OK(first.status());
    ASSERT_OK(third.status());
    EXPECT_THAT(
        OpenSet(paths, ShardOptions(), resources),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("locked")));
    EXPECT_THAT(Names(paths[1]), IsEmpty());
  }
  EXPECT_THAT(OpenSet(paths, ShardOptions(), resources),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("there is no database")));
  EXPECT_THAT(Names(paths[1]), IsEmpty());
  EXPECT_EQ(env.Operations(FileOperation::kCreate, paths[1] + "/*"), 0);
}

TEST(OpenShardsTest, AFailureTakesOutWhatWasMadeInFoldersThatWereThere) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b"),
                                          dir.Join("c/c"), dir.Join("c/d"),
                                          dir.Join("e")};
  std::filesystem::create_directory(paths[0]);
  std::filesystem::create_directory(paths[1]);
  std::ofstream(paths[1] + "/notes.txt") << "mine";
  std::ofstream(paths[1] + "/LOG") << "of old";
  FaultInjectionEnv env(leveldb::Env::Default());
  env.AddFault({{FileOperation::kCreate}, paths[4] + "/*"});
  ResourceOptions resources = ForShards(paths.size());
  resources.env = &env;
  EXPECT_THAT(OpenSet(paths, ShardOptions(), resources),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("shard 4")));
  EXPECT_GT(env.Operations(FileOperation::kCreate, paths[1] + "/MANIFEST-*"),
            0);
  EXPECT_THAT(Names(dir.path()), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(Names(paths[0]), UnorderedElementsAre("LOCK"));
  EXPECT_THAT(Names(paths[1]),
              UnorderedElementsAre("notes.txt", "LOG", "LOCK"));
  EXPECT_EQ(std::filesystem::file_size(paths[1] + "/LOG"), 6);
  env.RemoveAllFaults();
  EXPECT_OK(OpenSet(paths, ShardOptions(), resources).status());
}

// So that of several who make one set at once, one gets it.
TEST(OpenShardsTest, TheLowestMissingShardIsMadeAndLockedBeforeTheOthers) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("d"), dir.Join("c"),
                                          dir.Join("b"), dir.Join("a")};
  ASSERT_OK(OpenLevelDb(paths[0], ShardOptions()).status());
  FaultInjectionEnv env(leveldb::Env::Default());
  ResourceOptions resources = ForShards(paths.size());
  resources.env = &env;
  {
    std::filesystem::create_directory(paths[1]);
    const LockingProcess other(paths[1]);
    EXPECT_THAT(OpenSet(paths, ShardOptions(), resources),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("shard 1: " + paths[1])));
  }
  for (int i : {2, 3}) {
    EXPECT_EQ(env.Operations(FileOperation::kCreateDir, paths[i] + "*"), 0);
  }
  EXPECT_OK(OpenError(paths));  // nothing has stayed open
  for (const std::string& path : paths) std::filesystem::remove_all(path);
  ASSERT_OK(OpenLevelDb(paths[0], ShardOptions()).status());

  std::atomic<int> made{0};
  env.SetObserver([&](FileOperation operation, const std::string& path) {
    if (operation != FileOperation::kCreateDir) return;
    if (path != paths[2] && path != paths[3]) return;
    made += std::filesystem::exists(paths[1] + "/CURRENT");
    made += !AnotherProcessCanLock(paths[1]);
  });
  EXPECT_OK(OpenSet(paths, ShardOptions(), resources).status());
  EXPECT_GE(made, 4);
  EXPECT_EQ(made % 2, 0);
}

TEST(OpenShardsTest, ACreationCutShortIsFinished) {
  const TempDir dir;
  const std::vector<std::string> paths = {dir.Join("a"), dir.Join("b"),
                                          dir.Join("c")};
  ASSERT_OK(OpenLevelDb(paths[1], ShardOptions()).status());
  EXPECT_OK(OpenError(paths));
  for (const std::string& path : paths) {
    EXPECT_TRUE(std::filesystem::exists(path + "/CURRENT"));
  }
}

}  // namespace
}  // namespace shardingdb
