// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The same command again after it has finished.
class RepeatTest : public ::testing::Test {
 protected:
  RepeatTest() { WriteSet({a_, b_}, JumpSharding(), entries_); }

  absl::StatusOr<ReshardResult> Run(const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs) {
    ReshardOptions options;
    options.inputs = inputs;
    options.outputs = outputs;
    return Reshard(options);
  }
  void Put(const std::string& folder, const std::string& key) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                         OpenLevelDb(folder, ShardOptions()));
    ASSERT_OK(db->Put(leveldb::WriteOptions(), key, "value"));
    ASSERT_OK(db->Close());
  }
  // A key that is not in the set and that shard `shard` of `count` owns.
  std::string NewKey(uint32_t shard, uint32_t count) {
    std::string key = "new";
    while (JumpSharding()->ShardOf(key, count) != shard) key += "x";
    return key;
  }

  TempDir dir_;
  const std::string a_ = dir_.Join("a");
  const std::string b_ = dir_.Join("b");
  const std::string c_ = dir_.Join("c");
  const std::string d_ = dir_.Join("d");
  const Entries entries_ = GenerateEntries(5, 1000);
};

TEST_F(RepeatTest, MovesNothingAndVerifies) {
  const std::vector<
      std::pair<std::vector<std::string>, std::vector<std::string>>>
      commands = {{{a_, b_}, {a_, b_, c_}},          // grow
                  {{a_, b_, c_}, {b_, c_, a_, d_}},  // reorder
                  {{a_, b_, c_, d_}, {a_, d_}},      // shrink
                  {{a_, d_}, {dir_.Join("x"), dir_.Join("y")}}};
  for (const auto& [inputs, outputs] : commands) {
    ASSERT_OK(Run(inputs, outputs));
    for (int again = 0; again < 2; ++again) {
      ASSERT_OK_AND_ASSIGN(const ReshardResult result, Run(inputs, outputs));
      EXPECT_EQ(result.moved, 0);
      EXPECT_EQ(result.contents, DigestOf(entries_));
    }
    EXPECT_TRUE(ReadSet(outputs, JumpSharding()) == entries_);
  }
}

TEST_F(RepeatTest, ASetThatWasUsedSinceStaysAsItIs) {
  ASSERT_OK(Run({a_, b_}, {a_, b_, c_}));
  Put(c_, NewKey(2, 3));
  ASSERT_OK_AND_ASSIGN(const ReshardResult grown, Run({a_, b_}, {a_, b_, c_}));
  EXPECT_EQ(grown.moved, 0);
  EXPECT_EQ(grown.contents.entries(), entries_.size() + 1);

  ASSERT_OK(Run({a_, b_, c_}, {d_}));
  Put(d_, "another");
  ASSERT_OK_AND_ASSIGN(const ReshardResult migrated, Run({a_, b_, c_}, {d_}));
  EXPECT_EQ(migrated.moved, 0);
  EXPECT_EQ(migrated.contents.entries(), entries_.size() + 2);
  EXPECT_EQ(ReadFolder(d_).count("another"), 1);
}

TEST_F(RepeatTest, InputsThatChangedSinceAreNotTakenForMigrated) {
  ASSERT_OK(Run({a_, b_}, {c_}));
  Put(a_, "late");
  EXPECT_THAT(Run({a_, b_}, {c_}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(c_), HasSubstr("inputs have changed"),
                             Not(HasSubstr("mpty")))));
  EXPECT_TRUE(ReadFolder(c_) == entries_);
}

TEST_F(RepeatTest, AnOutputThatWasLostSinceIsMissed) {
  ASSERT_OK(Run({a_, b_}, {a_, b_, c_}));
  std::filesystem::rename(c_, d_);
  EXPECT_THAT(Run({a_, b_}, {a_, b_, c_}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(c_), HasSubstr("finished before"))));
  EXPECT_FALSE(std::filesystem::exists(c_));
  std::filesystem::rename(d_, c_);
  EXPECT_OK(Run({a_, b_}, {a_, b_, c_}));
}

TEST_F(RepeatTest, ARefusalNamesTheEarlierRunAndNeverSaysToEmpty) {
  ASSERT_OK(Run({a_, b_}, {a_, b_, c_}));
  EXPECT_THAT(
      Run({a_, b_}, {b_, c_}),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr(c_ +
                               ": holds other data: the result of an "
                               "earlier run (reshard -i " +
                               a_),
                     HasSubstr("name all folders that hold entries of the set "
                               "after -i"),
                     Not(HasSubstr("empty")))));
  std::filesystem::remove(c_ + "/RESHARD.done");
  EXPECT_THAT(Run({a_, b_}, {a_, b_, c_}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("perhaps the result of an earlier run"),
                             Not(HasSubstr("empty")))));
  ASSERT_OK(Run({a_, b_, c_}, {b_, c_}));
  EXPECT_TRUE(ReadSet({b_, c_}, JumpSharding()) == entries_);
}

TEST_F(RepeatTest, AnEmptiedFolderIsFreeAgain) {
  ASSERT_OK(Run({a_, b_}, {a_}));
  ASSERT_OK(Run({a_}, {a_, b_}));
  EXPECT_TRUE(ReadSet({a_, b_}, JumpSharding()) == entries_);
}

class DamagedMarkerTest : public RepeatTest,
                          public ::testing::WithParamInterface<std::string> {
 protected:
  // Ends the run as a kill would.
  void Interrupt(absl::string_view at) {
    std::atomic<bool> stop{false};
    ReshardOptions options;
    options.inputs = {a_, b_};
    options.outputs = {a_, b_, c_, d_};
    options.batch_bytes = 4096;
    options.stop = &stop;
    options.on_step = [&](absl::string_view step) {
      if (step == at) stop = true;
    };
    ASSERT_THAT(Reshard(options), StatusIs(absl::StatusCode::kCancelled));
  }
  void Damage(const std::string& folder) {
    const std::string path = folder + "/RESHARD";
    ASSERT_TRUE(std::filesystem::exists(path));
    if (GetParam() == "BitFlip") {
      std::fstream file(path, std::ios::in | std::ios::out);
      file.seekp(40);
      file.put('\x01');
    } else {
      std::filesystem::resize_file(path, GetParam() == "Empty" ? 0 : 77);
    }
  }
};

TEST_P(DamagedMarkerTest, IsReplacedByWhatTheOthersSay) {
  Interrupt("batch deleted");
  for (const std::string& damaged : {a_, b_, d_}) Damage(damaged);
  ASSERT_OK(Run({a_, b_}, {a_, b_, c_, d_}));
  EXPECT_TRUE(ReadSet({a_, b_, c_, d_}, JumpSharding()) == entries_);
  EXPECT_FALSE(std::filesystem::exists(a_ + "/RESHARD"));
}

TEST_P(DamagedMarkerTest, AnotherCommandIsStillRefused) {
  Interrupt("batch copied");
  Damage(a_);
  EXPECT_THAT(Run({a_, b_}, {a_, b_, c_}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("unfinished reshard")));
  EXPECT_THAT(Run({a_}, {dir_.Join("x")}),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("the other folders of that run hold the same "
                                 "file")));
}

TEST_P(DamagedMarkerTest, WithNoneToReadTheMessageSaysTheWayOut) {
  Interrupt("batch deleted");
  const std::vector<std::string> all = {a_, b_, c_, d_};
  for (const std::string& folder : all) Damage(folder);
  EXPECT_THAT(Run({a_, b_}, all),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(a_ + "/RESHARD"),
                             HasSubstr("name all folders of that run after "
                                       "-i"))));
  for (const std::string& folder : all) {
    std::filesystem::remove(folder + "/RESHARD");
  }
  ASSERT_OK(Run(all, {}));
  EXPECT_TRUE(ReadSet(all, JumpSharding()) == entries_);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DamagedMarkerTest,
                         ::testing::Values("BitFlip", "CutOff", "Empty"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace shardingdb
