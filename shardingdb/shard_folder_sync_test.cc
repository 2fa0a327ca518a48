// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Which folders ShardFolder syncs. A program of its own: its fsync is not the
// system's.

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "shardingdb/new_folders.h"
#include "shardingdb/shard_folder.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace {

// What was synced, and the errno of the next sync.
std::vector<std::string>* const kSynced = new std::vector<std::string>;
int sync_error = 0;

}  // namespace

extern "C" int fsync(int file) {
  std::error_code ignored;
  kSynced->push_back(std::filesystem::read_symlink(
                         "/proc/self/fd/" + std::to_string(file), ignored)
                         .string());
  if (sync_error != 0) {
    errno = sync_error;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr ShardFolder::Rules kOpen = {/*create_if_missing=*/true,
                                      /*error_if_exists=*/false,
                                      /*allow_unfinished_reshard=*/false};

class ShardFolderSyncTest : public ::testing::Test {
 protected:
  ShardFolderSyncTest() {
    kSynced->clear();
    sync_error = 0;
  }

  absl::Status Prepare(leveldb::Env* env, const std::string& path) {
    NewFolders above;
    ShardFolder folder(env, path, &above);
    absl::Status status = folder.Check(kOpen);
    if (status.ok()) status = folder.Prepare(kOpen);
    if (status.ok()) return status;
    folder.RemoveWhatIsNew();
    above.RemoveEmpty();
    return status;
  }

  const TempDir dir_;
  const std::string root_ = std::filesystem::canonical(dir_.path()).string();
  leveldb::Env* const env_ = leveldb::Env::Default();
};

TEST_F(ShardFolderSyncTest, TheFolderAboveEachNewOne) {
  EXPECT_OK(Prepare(env_, root_ + "/a//b/c/"));
  EXPECT_THAT(*kSynced, ElementsAre(root_, root_ + "/a", root_ + "/a/b"));
}

TEST_F(ShardFolderSyncTest, OfARelativePath) {
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(root_);
  const absl::Status status = Prepare(env_, "a/b");
  std::filesystem::current_path(before);
  EXPECT_OK(status);
  EXPECT_THAT(*kSynced, ElementsAre(root_, root_ + "/a"));
}

TEST_F(ShardFolderSyncTest, NothingForFoldersThatAreThere) {
  std::filesystem::create_directory(root_ + "/a");
  EXPECT_OK(Prepare(env_, root_ + "/a"));
  EXPECT_THAT(*kSynced, IsEmpty());
}

TEST_F(ShardFolderSyncTest, NothingForFoldersInMemory) {
  const std::unique_ptr<leveldb::Env> memory(leveldb::NewMemEnv(env_));
  EXPECT_OK(Prepare(memory.get(), root_ + "/a/b"));
  EXPECT_THAT(*kSynced, IsEmpty());
}

TEST_F(ShardFolderSyncTest, AFailureIsToldAndNothingStays) {
  sync_error = EIO;
  const std::string path = root_ + "/a/b";
  EXPECT_THAT(Prepare(env_, path),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(StartsWith(path), HasSubstr("output error"))));
  EXPECT_TRUE(std::filesystem::is_empty(root_));
}

}  // namespace
}  // namespace shardingdb
