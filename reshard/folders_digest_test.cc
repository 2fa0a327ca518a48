// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/folders_digest.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "reshard/set_digest.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FoldersDigestTest : public ::testing::Test {
 protected:
  FoldersDigestTest() { WriteSet(folders_, JumpSharding(), entries_); }

  std::string Expected() {
    SetDigest digest;
    for (const auto& [key, value] : entries_) digest.Add(key, value);
    return digest.FinishHex();
  }

  TempDir dir_;
  const std::vector<std::string> folders_ = {dir_.Join("a"), dir_.Join("b"),
                                             dir_.Join("c")};
  const Entries entries_ = GenerateEntries(6, 2000);
};

TEST_F(FoldersDigestTest, IsThatOfTheSortedSetInAnyOrderOfFolders) {
  ASSERT_OK_AND_ASSIGN(const FoldersDigest digest, DigestOfFolders(folders_));
  EXPECT_EQ(digest.entries, entries_.size());
  EXPECT_EQ(digest.sha256, Expected());
  ASSERT_OK_AND_ASSIGN(
      const FoldersDigest turned,
      DigestOfFolders({folders_[2], folders_[0], folders_[1]}));
  EXPECT_EQ(turned.sha256, digest.sha256);
}

TEST_F(FoldersDigestTest, ChangesNothing) {
  const auto before = FilesOf(folders_[0]);
  ASSERT_OK(DigestOfFolders(folders_));
  EXPECT_TRUE(FilesOf(folders_[0]) == before);
}

TEST_F(FoldersDigestTest, OfAnEmptyDatabase) {
  WriteSet({dir_.Join("empty")}, JumpSharding(), {});
  ASSERT_OK_AND_ASSIGN(const FoldersDigest digest,
                       DigestOfFolders({dir_.Join("empty")}));
  EXPECT_EQ(digest.entries, 0);
  EXPECT_EQ(digest.sha256, SetDigest().FinishHex());
}

TEST_F(FoldersDigestTest, AKeyInTwoFoldersIsAnError) {
  WriteSet({dir_.Join("d")}, JumpSharding(), {*entries_.begin()});
  EXPECT_THAT(
      DigestOfFolders({folders_[0], folders_[1], folders_[2], dir_.Join("d")}),
      StatusIs(
          absl::StatusCode::kAborted,
          AllOf(HasSubstr("the key empty is in"), HasSubstr(dir_.Join("d")))));
}

TEST_F(FoldersDigestTest, RefusesWhatIsNoSetToRead) {
  EXPECT_THAT(DigestOfFolders({}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(DigestOfFolders({dir_.Join("missing")}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(dir_.Join("missing"))));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("missing")));
  EXPECT_THAT(
      DigestOfFolders({folders_[0], folders_[0] + "/"}),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("twice")));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                       OpenLevelDb(folders_[1], ShardOptions()));
  EXPECT_THAT(DigestOfFolders(folders_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(folders_[1]), HasSubstr("lock"))));
}

TEST_F(FoldersDigestTest, NamesADamagedFile) {
  std::string table;
  for (const auto& file : std::filesystem::directory_iterator(folders_[1])) {
    if (file.path().extension() == ".ldb") table = file.path().string();
  }
  std::fstream file(table, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  file << "damage";
  file.close();
  EXPECT_THAT(DigestOfFolders(folders_),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(table)));
}

TEST_F(FoldersDigestTest, IsStopped) {
  const std::atomic<bool> stop{true};
  EXPECT_THAT(DigestOfFolders(folders_, nullptr, nullptr, &stop),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace shardingdb
