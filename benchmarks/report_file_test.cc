// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/report_file.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int FilesIn(const std::string& folder) {
  return static_cast<int>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ReportFile, ReplacesTheFileWhenCommitted) {
  const TempDir dir;
  const std::string path = dir.Join("report");
  for (const std::string& text :
       {std::string(100000, 'x'), std::string("short\n"), std::string()}) {
    const std::string before = Contents(path);
    ASSERT_OK_AND_ASSIGN(ReportFile file, ReportFile::New(path));
    EXPECT_EQ(Contents(path), before);
    ReportFile moved = std::move(file);
    ASSERT_OK(moved.Commit(text));
    EXPECT_EQ(Contents(path), text);
    EXPECT_EQ(FilesIn(dir.path()), 1);
  }
}

TEST(ReportFile, LeavesNothingBehindUnlessCommitted) {
  const TempDir dir;
  ASSERT_OK(ReportFile::New(dir.Join("report")));
  EXPECT_EQ(FilesIn(dir.path()), 0);
}

TEST(ReportFile, StartsWhereTheUserIs) {
  const TempDir dir;
  ::setenv("BUILD_WORKING_DIRECTORY", dir.path().c_str(), /*overwrite=*/1);
  ASSERT_OK_AND_ASSIGN(ReportFile file, ReportFile::New("report"));
  ASSERT_OK(file.Commit("text"));
  EXPECT_EQ(Contents(dir.Join("report")), "text");
  ::unsetenv("BUILD_WORKING_DIRECTORY");
}

TEST(ReportFile, LeavesALinkInPlace) {
  const TempDir dir;
  std::ofstream(dir.Join("target")) << "old";
  fs::create_symlink(dir.Join("target"), dir.Join("link"));
  ASSERT_OK_AND_ASSIGN(ReportFile file, ReportFile::New(dir.Join("link")));
  ASSERT_OK(file.Commit("new"));
  EXPECT_EQ(Contents(dir.Join("target")), "new");
  EXPECT_TRUE(fs::is_symlink(dir.Join("link")));
}

TEST(ReportFile, RefusesWhatIsNoFile) {
  const TempDir dir;
  for (const std::string& path :
       {dir.path(), std::string("/dev/null"), dir.Join("folder/")}) {
    EXPECT_THAT(ReportFile::New(path),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("is no file")))
        << path;
  }
  EXPECT_THAT(
      ReportFile::New(dir.Join("missing/report")),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("missing/report")));
}

}  // namespace
}  // namespace shardingdb
