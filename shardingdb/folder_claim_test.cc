// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/folder_claim.h"

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class FolderClaimTest : public ::testing::Test {
 protected:
  std::string NewFolder(const std::string& name) {
    EXPECT_OK(env_->CreateDir(dir_.Join(name)));
    return dir_.Join(name);
  }

  TempDir dir_;
  leveldb::Env* const env_ = leveldb::Env::Default();
};

TEST_F(FolderClaimTest, AFolderIsClaimedOnce) {
  const std::string folder = NewFolder("a");
  {
    ASSERT_OK_AND_ASSIGN(const FolderClaim claim,
                         FolderClaim::Take(env_, folder));
    EXPECT_THAT(
        FolderClaim::Take(env_, folder),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(folder)));
    EXPECT_THAT(FolderClaim::Take(env_, NewFolder("b")), IsOk());
  }
  EXPECT_THAT(FolderClaim::Take(env_, folder), IsOk());
}

TEST_F(FolderClaimTest, OtherNamesOfAFolderAreThatFolder) {
  const std::string folder = NewFolder("a");
  const std::string link = dir_.Join("link");
  ASSERT_EQ(::symlink(folder.c_str(), link.c_str()), 0);
  ASSERT_OK_AND_ASSIGN(const FolderClaim claim,
                       FolderClaim::Take(env_, folder));
  leveldb::EnvWrapper wrapper(env_);
  for (const std::string& name :
       {link, folder + "/", dir_.Join("./a"), dir_.Join("a/../a")}) {
    EXPECT_THAT(FolderClaim::Take(env_, name),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(FolderClaim::Take(&wrapper, name),
                StatusIs(absl::StatusCode::kFailedPrecondition));
  }
}

TEST_F(FolderClaimTest, FoldersInMemoryAreKnownByEnvAndName) {
  const std::unique_ptr<leveldb::Env> first(leveldb::NewMemEnv(env_));
  const std::unique_ptr<leveldb::Env> second(leveldb::NewMemEnv(env_));
  ASSERT_OK_AND_ASSIGN(const FolderClaim claim,
                       FolderClaim::Take(first.get(), "/memory/a"));
  EXPECT_THAT(FolderClaim::Take(first.get(), "/memory/a"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(FolderClaim::Take(first.get(), "/memory/b"), IsOk());
  EXPECT_THAT(FolderClaim::Take(second.get(), "/memory/a"), IsOk());
}

TEST_F(FolderClaimTest, AClaimMovesAndIsDroppedOnce) {
  const std::string a = NewFolder("a");
  const std::string b = NewFolder("b");
  std::optional<FolderClaim> kept;
  {
    ASSERT_OK_AND_ASSIGN(FolderClaim claim, FolderClaim::Take(env_, a));
    kept = std::move(claim);
  }
  EXPECT_THAT(FolderClaim::Take(env_, a),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK_AND_ASSIGN(*kept, FolderClaim::Take(env_, b));
  EXPECT_THAT(FolderClaim::Take(env_, a), IsOk());
  EXPECT_THAT(FolderClaim::Take(env_, b),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace shardingdb
