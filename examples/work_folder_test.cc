// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "examples/work_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

void WriteFile(const std::string& path) { std::ofstream(path) << "x"; }

TEST(WorkFolder, FreshOnesDifferAndGoWithTheirContents) {
  std::string path;
  {
    absl::StatusOr<WorkFolder> a = WorkFolder::Make("", "test");
    absl::StatusOr<WorkFolder> b = WorkFolder::Make("", "test");
    ASSERT_OK(a.status());
    ASSERT_OK(b.status());
    path = a->path();
    EXPECT_NE(path, b->path());
    EXPECT_TRUE(a->removed_at_end());
    EXPECT_TRUE(absl::StrContains(path, "/test."));
    std::filesystem::create_directory(a->Join("sub"));
    WriteFile(a->Join("sub/file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WorkFolder, MovedFromRemovesNothing) {
  absl::StatusOr<WorkFolder> a = WorkFolder::Make("", "test");
  ASSERT_OK(a.status());
  const std::string path = a->path();
  std::optional<WorkFolder> b(*std::move(a));
  a = absl::UnknownError("gone");
  EXPECT_TRUE(std::filesystem::is_directory(path));
  b.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WorkFolder, NamedIsMadeAndStays) {
  TempDir dir;
  {
    absl::StatusOr<WorkFolder> folder =
        WorkFolder::Make(dir.Join("a/b/../c/"), "test");
    ASSERT_OK(folder.status());
    EXPECT_EQ(folder->path(), dir.Join("a/c"));
    EXPECT_FALSE(folder->removed_at_end());
    WriteFile(folder->Join("file"));
  }
  EXPECT_TRUE(std::filesystem::exists(dir.Join("a/c/file")));
}

TEST(WorkFolder, RelativePathStartsWhereTheUserIs) {
  TempDir dir;
  ASSERT_EQ(::setenv("BUILD_WORKING_DIRECTORY", dir.path().c_str(), 1), 0);
  absl::StatusOr<WorkFolder> folder = WorkFolder::Make("here", "test");
  ASSERT_EQ(::unsetenv("BUILD_WORKING_DIRECTORY"), 0);
  ASSERT_OK(folder.status());
  EXPECT_EQ(folder->path(), dir.Join("here"));
}

TEST(WorkFolder, RefusesWhatHoldsSomething) {
  TempDir dir;
  WriteFile(dir.Join("file"));
  const absl::Status full = WorkFolder::Make(dir.path(), "test").status();
  EXPECT_EQ(full.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(full.message()), HasSubstr(dir.path()));
  const absl::Status file = WorkFolder::Make(dir.Join("file"), "test").status();
  EXPECT_EQ(file.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(file.message()), HasSubstr(dir.Join("file")));
}

TEST(WorkFolder, NamesAFolderThatCannotBeMade) {
  TempDir dir;
  WriteFile(dir.Join("file"));
  const absl::Status status =
      WorkFolder::Make(dir.Join("file/below"), "test").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("file/below"));
}

}  // namespace
}  // namespace shardingdb
