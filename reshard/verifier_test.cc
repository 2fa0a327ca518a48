// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/verifier.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "reshard/folder.h"
#include "reshard/generated_set.h"
#include "reshard/open_set.h"
#include "reshard/plan.h"
#include "reshard/test_rings.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A set that is as it should be, until a test spoils it.
class VerifierTest : public ::testing::Test {
 protected:
  VerifierTest() {
    WriteSet(paths_, JumpSharding(), entries_);
    absl::StatusOr<std::vector<Folder>> folders = LookAtFolders(&env_, paths_);
    EXPECT_OK(folders);
    absl::StatusOr<ReshardPlan> plan =
        PlanReshard(*folders, {}, JumpSharding());
    EXPECT_OK(plan);
    plan_ = *std::move(plan);
    for (size_t i = 0; i < paths_.size(); ++i) {
      EXPECT_OK(set_.OpenToWrite(i, paths_[i], OpenSet::WriteMode()));
    }
    run_.plan = &plan_;
    run_.set = &set_;
    run_.env = &env_;
  }

  // An entry of the folder.
  std::string KeyIn(size_t i) {
    for (const auto& [key, value] : entries_) {
      if (*plan_.OwnerOf(key) == i) return key;
    }
    return "";
  }

  FaultInjectionEnv env_{leveldb::Env::Default()};
  TempDir dir_;
  const std::vector<std::string> paths_ = {dir_.Join("a"), dir_.Join("b")};
  const Entries entries_ = GenerateEntries(4, 500);
  const MultisetDigest digest_ = DigestOf(entries_);
  ReshardPlan plan_;
  OpenSet set_{&env_, 2};
  RunContext run_;
  const leveldb::WriteOptions write_;
};

TEST_F(VerifierTest, AcceptsASetThatIsAsItShouldBe) {
  EXPECT_OK(VerifyOutputs(run_, /*allow_strays=*/false, digest_));
  EXPECT_THAT(ReadOutputs(run_, /*allow_strays=*/false), IsOkAndHolds(digest_));
}

TEST_F(VerifierTest, FindsAMissingEntry) {
  ASSERT_OK(set_.db(0)->Delete(write_, KeyIn(0)));
  EXPECT_THAT(VerifyOutputs(run_, /*allow_strays=*/true, digest_),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr("500 entries"), HasSubstr("499"))));
}

TEST_F(VerifierTest, FindsAChangedValue) {
  ASSERT_OK(set_.db(1)->Put(write_, KeyIn(1), "changed"));
  EXPECT_THAT(
      VerifyOutputs(run_, /*allow_strays=*/true, digest_),
      StatusIs(absl::StatusCode::kAborted, HasSubstr("verification failed")));
}

TEST_F(VerifierTest, FindsAnEntryTooMany) {
  std::string key = "more";
  while (*plan_.OwnerOf(key) != 0) key += "x";
  ASSERT_OK(set_.db(0)->Put(write_, key, ""));
  EXPECT_THAT(VerifyOutputs(run_, /*allow_strays=*/true, digest_),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("501")));
}

// The count is right, and an exclusive-or of hashes would be too.
TEST_F(VerifierTest, FindsTwoValuesThatWereExchanged) {
  const std::string key = KeyIn(0);
  const std::string other = KeyIn(1);
  ASSERT_NE(entries_.at(key), entries_.at(other));
  ASSERT_OK(set_.db(0)->Put(write_, key, entries_.at(other)));
  ASSERT_OK(set_.db(1)->Put(write_, other, entries_.at(key)));
  EXPECT_THAT(VerifyOutputs(run_, /*allow_strays=*/true, digest_),
              StatusIs(absl::StatusCode::kAborted));
}

TEST_F(VerifierTest, AStrayIsAcceptedOnlyWhereItWaitsToBeDeleted) {
  const std::string key = KeyIn(0);
  ASSERT_OK(set_.db(1)->Put(write_, key, entries_.at(key)));
  EXPECT_OK(VerifyOutputs(run_, /*allow_strays=*/true, digest_));
  EXPECT_THAT(VerifyOutputs(run_, /*allow_strays=*/false, digest_),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr(paths_[1] + ": holds the key"),
                             HasSubstr(paths_[0]))));
  plan_.members[1].is_input = false;
  EXPECT_THAT(VerifyOutputs(run_, /*allow_strays=*/true, digest_),
              StatusIs(absl::StatusCode::kAborted));
}

// The copy of an entry must not stand for the original: its owner has to have
// it.
TEST_F(VerifierTest, FindsAValueThatDoesNotOpen) {
  const TestRings rings;
  ASSERT_OK(set_.OpenValues(0, rings.Codec("ring").aead));
  EXPECT_THAT(
      VerifyOutputs(run_, /*allow_strays=*/false, digest_),
      StatusIs(absl::StatusCode::kDataLoss,
               AllOf(HasSubstr(paths_[0]), HasSubstr("does not open"))));
}

TEST_F(VerifierTest, AStrayDoesNotStandForTheEntry) {
  const std::string key = KeyIn(0);
  ASSERT_OK(set_.db(0)->Delete(write_, key));
  ASSERT_OK(set_.db(1)->Put(write_, key, entries_.at(key)));
  EXPECT_THAT(VerifyOutputs(run_, /*allow_strays=*/true, digest_),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("499")));
}

TEST_F(VerifierTest, SaysWhichFolderCannotBeRead) {
  env_.AddFault({{FileOperation::kRead}, "*/b/*.ldb"});
  EXPECT_THAT(ReadOutputs(run_, /*allow_strays=*/false),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr(paths_[1]), HasSubstr("injected"))));
}

}  // namespace
}  // namespace shardingdb
