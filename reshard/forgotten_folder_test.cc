// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/forgotten_folder.h"

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "reshard/databases_at_rest.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ForgottenFolderTest : public ::testing::Test {
 protected:
  // A set that grew from a and b to c.
  ForgottenFolderTest() {
    WriteSet(AllAt({"a", "b"}), JumpSharding(), entries_);
    EXPECT_OK(Run({"a", "b"}, {"a", "b", "c"}));
  }

  std::string At(const std::string& name) { return dir_.Join(name); }
  std::vector<std::string> AllAt(const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(At(name));
    return paths;
  }
  absl::Status Run(const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs,
                   bool give_up_missing_shards = false) {
    ReshardOptions options;
    options.give_up_missing_shards = give_up_missing_shards;
    options.inputs = AllAt(inputs);
    options.outputs = AllAt(outputs);
    return Reshard(options).status();
  }
  void ExpectForgotten(const absl::Status& status, const std::string& name) {
    EXPECT_THAT(
        status,
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr("/" + name + ": is not named, but holds"),
                       HasSubstr("/RESHARD.done says"),
                       HasSubstr("Name this folder too"))));
  }
  void Move(const std::string& from, const std::string& to) {
    std::filesystem::rename(At(from), At(to));
  }

  TempDir dir_;
  const Entries entries_ = GenerateEntries(8, 500);
};

TEST_F(ForgottenFolderTest, IsMissedHoweverTheOthersAreUsed) {
  ExpectForgotten(Run({"a", "b"}, {"a", "b", "d"}), "c");
  ExpectForgotten(Run({"a", "b"}, {"x"}), "c");
  ExpectForgotten(Run({"a", "b"}, {}), "c");
  ExpectForgotten(Run({"a", "c"}, {"c"}), "b");
  EXPECT_FALSE(std::filesystem::exists(At("d")));
  EXPECT_FALSE(std::filesystem::exists(At("x")));
}

// A key that is dropped because the others do not need it.
TEST_F(ForgottenFolderTest, IsMissedByWhoeverHoldsTheSet) {
  leveldb::Env* const env = leveldb::Env::Default();
  ExpectForgotten(HoldDatabases(env, AllAt({"a", "b"})).status(), "c");
  EXPECT_OK(HoldDatabases(env, AllAt({"a", "b", "c"})).status());
}

TEST_F(ForgottenFolderTest, TheSameCommandAgainNamesItAsAnOutput) {
  EXPECT_OK(Run({"a", "b"}, {"a", "b", "c"}));
}

TEST_F(ForgottenFolderTest, IsNoneAfterTheSetHasShrunk) {
  ASSERT_OK(Run({"a", "b", "c"}, {"a", "b"}));
  EXPECT_OK(Run({"a", "b"}, {"a", "b", "d"}));
  EXPECT_TRUE(ReadSet(AllAt({"a", "b", "d"}), JumpSharding()) == entries_);
}

TEST_F(ForgottenFolderTest, IsNoneThatIsGoneOrInAnotherPlace) {
  Move("c", "d");
  EXPECT_OK(Run({"a", "b", "d"}, {"x"}));
}

TEST_F(ForgottenFolderTest, ACopyDoesNotMissTheOriginals) {
  for (const std::string name : {"a", "b", "c"}) {
    std::filesystem::copy(At(name), At(name + "2"));
  }
  EXPECT_OK(Run({"a2", "b2", "c2"}, {"x"}));
  // Nor do folders in new places miss what is at the old ones: their labels do.
  EXPECT_EQ(Run({"a2", "c2"}, {"y"}).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_OK(Run({"a2", "c2"}, {"y"}, /*give_up_missing_shards=*/true));
}

TEST_F(ForgottenFolderTest, IsNoneThatIsOfAnotherSetNow) {
  std::filesystem::remove_all(At("c"));
  WriteSet(AllAt({"z"}), JumpSharding(), GenerateEntries(9, 100));
  ASSERT_OK(Run({"z"}, {"c"}));
  EXPECT_OK(Run({"a", "b"}, {"x"}, /*give_up_missing_shards=*/true));
}

TEST_F(ForgottenFolderTest, IsNoneWithoutRecords) {
  for (const std::string name : {"a", "b"}) {
    std::filesystem::remove(At(name) + "/RESHARD.done");
  }
  EXPECT_OK(Run({"a", "b"}, {"x"}, /*give_up_missing_shards=*/true));
}

TEST_F(ForgottenFolderTest, IsNamedThroughASymbolicLink) {
  std::filesystem::create_directory_symlink(At("c"), At("link"));
  EXPECT_OK(Run({"a", "b", "link"}, {"x"}));
}

}  // namespace
}  // namespace shardingdb
