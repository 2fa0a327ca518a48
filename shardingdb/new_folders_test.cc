// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/new_folders.h"

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class NewFoldersTest : public ::testing::Test {
 protected:
  bool Make(const std::string& folder) {
    bool made = false;
    EXPECT_OK(folders_.Make(env_, folder, &made));
    EXPECT_TRUE(std::filesystem::is_directory(folder));
    return made;
  }

  const TempDir dir_;
  leveldb::Env* const env_ = leveldb::Env::Default();
  NewFolders folders_;
};

TEST_F(NewFoldersTest, TellsWhetherItHasMadeTheFolder) {
  EXPECT_TRUE(Make(dir_.Join("a//b/c/")));
  EXPECT_FALSE(Make(dir_.Join("a/b/c")));
  EXPECT_FALSE(Make(dir_.Join("a/b")));
  EXPECT_TRUE(Make(dir_.Join("a/b/d")));
}

TEST_F(NewFoldersTest, RemovesThoseAboveThatItHasMade) {
  std::filesystem::create_directory(dir_.Join("there"));
  Make(dir_.Join("there/a/b/c"));
  Make(dir_.Join("there/a/d/e"));
  std::filesystem::remove(dir_.Join("there/a/b/c"));
  std::filesystem::remove(dir_.Join("there/a/d/e"));
  folders_.RemoveEmpty();
  EXPECT_TRUE(std::filesystem::is_empty(dir_.Join("there")));
}

TEST_F(NewFoldersTest, LeavesTheFolderItself) {
  Make(dir_.Join("a/b"));
  folders_.RemoveEmpty();
  EXPECT_TRUE(std::filesystem::is_directory(dir_.Join("a/b")));
}

TEST_F(NewFoldersTest, RemovesOnlyOnce) {
  Make(dir_.Join("a/b"));
  std::filesystem::remove(dir_.Join("a/b"));
  folders_.RemoveEmpty();
  std::filesystem::create_directory(dir_.Join("a"));  // by somebody else
  folders_.RemoveEmpty();
  EXPECT_TRUE(std::filesystem::is_directory(dir_.Join("a")));
}

TEST_F(NewFoldersTest, TellsWhyItCannot) {
  bool made = true;
  EXPECT_THAT(folders_.Make(env_, "/proc/nothing/x", &made),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("nothing")));
  EXPECT_FALSE(made);
}

}  // namespace
}  // namespace shardingdb
