// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/durable_folder.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class DurableFolderTest : public ::testing::Test {
 protected:
  TempDir dir_;
};

TEST_F(DurableFolderTest, MakesWhatIsMissingAbove) {
  ASSERT_OK(MakeFolder(dir_.Join("a/b/c")));
  EXPECT_TRUE(std::filesystem::is_directory(dir_.Join("a/b/c")));
  EXPECT_OK(MakeFolder(dir_.Join("a/b/c")));
}

TEST_F(DurableFolderTest, SyncsAFolderWithItsFiles) {
  ASSERT_OK(MakeFolder(dir_.Join("a/below")));
  std::ofstream(dir_.Join("a/file")) << "x";
  std::ofstream(dir_.Join("a/LOCK"));
  EXPECT_OK(SyncFolderAndFiles(dir_.Join("a")));
  EXPECT_THAT(
      SyncFolderAndFiles(dir_.Join("b")),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr(dir_.Join("b"))));
}

TEST_F(DurableFolderTest, AFileIsInTheWay) {
  std::ofstream(dir_.Join("file")) << "x";
  for (const char* name : {"file", "file/b"}) {
    EXPECT_THAT(
        MakeFolder(dir_.Join(name)),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("file")));
  }
}

TEST_F(DurableFolderTest, SyncFolderNeedsOne) {
  EXPECT_OK(SyncFolder(dir_.path()));
  EXPECT_THAT(SyncFolder(dir_.Join("missing")),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("missing")));
}

TEST_F(DurableFolderTest, OfARelativePath) {
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(dir_.path());
  const absl::Status status = MakeFolder("a/b");
  std::filesystem::current_path(before);
  EXPECT_OK(status);
  EXPECT_TRUE(std::filesystem::is_directory(dir_.Join("a/b")));
}

TEST_F(DurableFolderTest, TheFolderAbove) {
  EXPECT_EQ(FolderAbove("/a/b"), "/a");
  EXPECT_EQ(FolderAbove("/a/b//"), "/a");
  EXPECT_EQ(FolderAbove("a/b"), "a");
  EXPECT_EQ(FolderAbove("a"), ".");
  EXPECT_EQ(FolderAbove("a/"), ".");
  EXPECT_EQ(FolderAbove("/a"), "/");
  EXPECT_EQ(FolderAbove("/"), "/");
}

}  // namespace
}  // namespace shardingdb
