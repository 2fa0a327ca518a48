// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/file_budget.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Tests change the limit of their own process.
class FileBudgetTest : public ::testing::Test {
 protected:
  FileBudgetTest() { EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0); }
  ~FileBudgetTest() override { ::setrlimit(RLIMIT_NOFILE, &before_); }

  void SetLimit(uint64_t files) {
    struct rlimit limit = before_;
    limit.rlim_cur = files;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  }

  struct rlimit before_;
};

// The number behind "ulimit -n " in an error.
uint64_t LimitToSet(const absl::Status& status) {
  const std::string text(status.message());
  const size_t at = text.find("ulimit -n ");
  if (at == std::string::npos) return 0;
  return std::strtoull(text.c_str() + at + 10, nullptr, 10);
}

TEST_F(FileBudgetTest, FewShardsHaveTheirLog) {
  SetLimit(256);
  FileBudget budget(3, 2);
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(const FileBudget::Share share, budget.Admit());
    EXPECT_TRUE(share.log_file);
  }
}

TEST_F(FileBudgetTest, WhereTheLimitIsShortLogsGoFirst) {
  SetLimit(256);
  FileBudget budget(40, 2);
  ASSERT_OK_AND_ASSIGN(const FileBudget::Share share, budget.Admit());
  EXPECT_FALSE(share.log_file);
}

TEST_F(FileBudgetTest, TheFirstShardAsksForAll) {
  SetLimit(128);
  FileBudget budget(60, 2);
  const absl::Status status = budget.Admit().status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted,
                               AllOf(HasSubstr("60 shards"),
                                     HasSubstr("the limit is 128"))));
  EXPECT_GT(LimitToSet(status), 180U);
  EXPECT_LT(LimitToSet(status), 400U);
}

TEST_F(FileBudgetTest, TheLimitThatTheErrorNamesIsExactlyEnough) {
  SetLimit(64);
  FileBudget budget(50, 2);
  const uint64_t limit = LimitToSet(budget.Admit().status());
  SetLimit(limit - 1);
  EXPECT_THAT(budget.Admit(), StatusIs(absl::StatusCode::kResourceExhausted));
  SetLimit(limit);
  for (int i = 0; i < 50; ++i) EXPECT_THAT(budget.Admit(), IsOk());
}

TEST_F(FileBudgetTest, ShardsThatComeOneByOneAskForThemselves) {
  SetLimit(64);
  FileBudget budget(0, 1);
  ASSERT_OK_AND_ASSIGN(const FileBudget::Share share, budget.Admit());
  EXPECT_TRUE(share.log_file);
}

TEST_F(FileBudgetTest, FilesThatAreOpenAlreadyCount) {
  SetLimit(128);
  std::vector<int> files;
  for (int i = 0; i < 70; ++i) files.push_back(::open("/dev/null", O_RDONLY));
  FileBudget budget(12, 1);
  const absl::Status status = budget.Admit().status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
  for (const int file : files) ::close(file);
  EXPECT_THAT(budget.Admit(), IsOk());
}

// LevelDB's Env keeps a share of the limit for them.
TEST_F(FileBudgetTest, OpenTableFilesDoNotCountTwice) {
  SetLimit(128);
  TempDir dir;
  std::vector<int> files;
  for (int i = 0; i < 70; ++i) {
    files.push_back(::open(dir.Join(absl::StrCat(i, ".ldb")).c_str(),
                           O_CREAT | O_RDONLY | O_CLOEXEC, 0600));
    ASSERT_GE(files.back(), 0);
  }
  FileBudget budget(12, 1);
  EXPECT_THAT(budget.Admit(), IsOk());
  for (const int file : files) ::close(file);
}

TEST_F(FileBudgetTest, AShardThatWasClosedMayComeAgain) {
  SetLimit(256);
  FileBudget budget(2, 1);
  ASSERT_THAT(budget.Admit(), IsOk());
  ASSERT_THAT(budget.Admit(), IsOk());
  SetLimit(10);
  budget.Release();
  EXPECT_THAT(budget.Admit(), StatusIs(absl::StatusCode::kResourceExhausted,
                                       HasSubstr("1 shard ")));
  SetLimit(256);
  EXPECT_THAT(budget.Admit(), IsOk());
  EXPECT_THAT(budget.Admit(), IsOk()) << "one more than was said";
}

}  // namespace
}  // namespace shardingdb
