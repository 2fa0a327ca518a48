// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/mover.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "reshard/folder.h"
#include "reshard/generated_set.h"
#include "reshard/open_set.h"
#include "reshard/plan.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Keys begin with the number of the shard that they belong to.
ShardingFuncPtr FirstByte() {
  return CustomSharding("first-byte", [](const leveldb::Slice& key, uint32_t) {
    return static_cast<uint32_t>(key[0] - '0');
  });
}

class MoverTest : public ::testing::Test {
 protected:
  // Makes folders with these entries and plans to bring them into `outputs`.
  void Prepare(const std::vector<Entries>& inputs,
               const std::vector<std::string>& outputs) {
    std::vector<std::string> input_paths;
    for (size_t i = 0; i < inputs.size(); ++i) {
      input_paths.push_back(dir_.Join(std::string(1, 'a' + i)));
      WriteSet({input_paths.back()}, JumpSharding(), inputs[i]);
    }
    std::vector<std::string> output_paths;
    for (const std::string& name : outputs) {
      output_paths.push_back(dir_.Join(name));
    }
    ASSERT_OK_AND_ASSIGN(const std::vector<Folder> input_folders,
                         LookAtFolders(&env_, input_paths));
    ASSERT_OK_AND_ASSIGN(const std::vector<Folder> output_folders,
                         LookAtFolders(&env_, output_paths));
    ASSERT_OK_AND_ASSIGN(
        plan_, PlanReshard(input_folders, output_folders, FirstByte()));
    OpenSet::WriteMode mode;
    mode.create = true;
    for (size_t i = 0; i < plan_.members.size(); ++i) {
      const ReshardPlan::Member& member = plan_.members[i];
      ASSERT_OK(member.written ? set_.OpenToWrite(i, member.path, mode)
                               : set_.OpenToRead(i, member.path));
    }
    run_.plan = &plan_;
    run_.set = &set_;
    run_.env = &env_;
  }

  Entries Contents(const std::string& name) {
    EXPECT_OK(set_.Close());
    return ReadFolder(dir_.Join(name));
  }

  FaultInjectionEnv env_{leveldb::Env::Default()};
  TempDir dir_;
  ReshardPlan plan_;
  OpenSet set_{&env_, 4};
  RunContext run_;
};

TEST_F(MoverTest, ASurveyCountsAndWritesNothing) {
  const Entries a = {{"0a", "1"}, {"1b", "22"}, {"2c", "333"}};
  const Entries b = {{"0a", "1"}, {"1d", ""}};
  Prepare({a, b}, {"a", "b", "c"});
  ASSERT_OK_AND_ASSIGN(const Tally tally, Survey(run_));
  Entries all = a;
  all.insert(b.begin(), b.end());
  EXPECT_EQ(tally.contents, DigestOf(all));
  EXPECT_EQ(tally.missing, 2);  // 1b and 2c
  EXPECT_EQ(tally.missing_bytes, 2 + 2 + 2 + 3);
  EXPECT_EQ(tally.repeated, 1);                     // 0a
  EXPECT_THAT(tally.strays, ElementsAre(2, 1, 0));  // 1b 2c, 0a
  EXPECT_TRUE(Contents("a") == a);
}

TEST_F(MoverTest, ACopyAddsWhatIsMissingAndRemovesNothing) {
  const Entries a = {{"0a", "1"}, {"1b", "22"}, {"2c", "333"}};
  Prepare({a, {{"1d", ""}}}, {"a", "b", "c"});
  ASSERT_OK_AND_ASSIGN(const Tally tally, CopyToOwners(run_));
  EXPECT_EQ(tally.missing, 2);
  ASSERT_OK(SyncOutputs(run_));
  EXPECT_TRUE(Contents("a") == a);
  EXPECT_TRUE(ReadFolder(dir_.Join("b")) ==
              Entries({{"1b", "22"}, {"1d", ""}}));
  EXPECT_TRUE(ReadFolder(dir_.Join("c")) == Entries({{"2c", "333"}}));
}

TEST_F(MoverTest, DeletesOnlyStraysAndOnlyWhereThereAreAny) {
  Prepare({{{"0a", "1"}, {"1b", "22"}}, {{"1b", "22"}, {"1d", ""}}}, {});
  const uint64_t syncs_of_b = env_.Operations(FileOperation::kSync, "*/b/*");
  ASSERT_OK_AND_ASSIGN(const Tally tally, Survey(run_));
  EXPECT_THAT(tally.strays, ElementsAre(1, 0));
  ASSERT_OK(DeleteStrays(run_, tally.strays));
  EXPECT_EQ(env_.Operations(FileOperation::kSync, "*/b/*"), syncs_of_b);
  EXPECT_TRUE(Contents("a") == Entries({{"0a", "1"}}));
  EXPECT_TRUE(ReadFolder(dir_.Join("b")) ==
              Entries({{"1b", "22"}, {"1d", ""}}));
}

TEST_F(MoverTest, AMigrationHasNoStraysInItsInputs) {
  Prepare({{{"0a", "1"}, {"1b", "22"}}}, {"x", "y"});
  ASSERT_OK_AND_ASSIGN(const Tally tally, CopyToOwners(run_));
  EXPECT_EQ(tally.missing, 2);
  EXPECT_THAT(tally.strays, ElementsAre(0, 0, 0));
}

TEST_F(MoverTest, AMigrationTakesNothingThatOnlyAnOutputHolds) {
  Prepare({{{"0a", "1"}}}, {"x"});
  ASSERT_OK(set_.db(1)->Put(leveldb::WriteOptions(), "0b", "2"));
  EXPECT_THAT(CopyToOwners(run_),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr(dir_.Join("x")), HasSubstr("0x3062"))));
}

TEST_F(MoverTest, AWriteThatFailsNamesItsFolder) {
  Prepare({{{"0a", "1"}, {"1b", "22"}}}, {"x", "y"});
  env_.AddFault({{FileOperation::kAppend}, "*/y/*.log"});
  EXPECT_THAT(CopyToOwners(run_), StatusIs(absl::StatusCode::kUnavailable,
                                           AllOf(HasSubstr(dir_.Join("y")),
                                                 HasSubstr("injected fault"))));
}

}  // namespace
}  // namespace shardingdb
