// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/temp_dir.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

using ::testing::EndsWith;
using ::testing::Not;

TEST(TempDirTest, IsAnEmptyFolderThatGoesWithItsContents) {
  std::string path;
  {
    TempDir dir;
    path = dir.path();
    EXPECT_TRUE(std::filesystem::is_directory(path));
    EXPECT_TRUE(std::filesystem::is_empty(path));
    std::filesystem::create_directories(dir.Join("a/b"));
    std::ofstream(dir.Join("a/b/file")) << "text";
    EXPECT_TRUE(std::filesystem::exists(path + "/a/b/file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TempDirTest, EachIsAnother) {
  TempDir first;
  TempDir second;
  EXPECT_NE(first.path(), second.path());
}

TEST(TempDirTest, PathIsAbsoluteWithoutSlashAtTheEnd) {
  TempDir dir;
  EXPECT_TRUE(std::filesystem::path(dir.path()).is_absolute());
  EXPECT_THAT(dir.path(), Not(EndsWith("/")));
  EXPECT_EQ(dir.Join("x"), dir.path() + "/x");
}

}  // namespace
}  // namespace shardingdb
