// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A change of values that was interrupted, or has finished, when something else
// happens before the same command comes again.

#include <filesystem>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "reshard/recode_fixture.h"
#include "reshard/value_codec.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using RecodeResumeTest = RecodeFixture;

TEST_F(RecodeResumeTest, AnotherRingDoesNotFinishIt) {
  Interrupt(Command("plain", "ring"), "batch rewritten", 3);
  const std::string id = rings_.File("ring")->ring_id();
  for (const char* const out : {"other", "plain"}) {
    EXPECT_THAT(Run("plain", out),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr("unfinished reshard"),
                               HasSubstr("to key-ring " + id))));
  }
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Run("plain", "ring"));
  EXPECT_LT(result.moved, entries_.size());
  EXPECT_EQ(result.contents, DigestOf(entries_));
  ExpectHolds("ring", entries_);
}

TEST_F(RecodeResumeTest, ARotationInBetweenIsNoHindrance) {
  Interrupt(Command("plain", "ring"), "batch rewritten", 3);
  rings_.Rotate();
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Run("plain", "ring"));
  EXPECT_EQ(result.moved, entries_.size());
  ExpectHolds("ring", entries_);
  const ValueCodec ring = rings_.Codec("ring");
  for (const auto& [key, stored] : ReadFolder(a_)) {
    EXPECT_TRUE(ring.SealedByPrimary(stored));
  }
}

TEST_F(RecodeResumeTest, AnotherCompressionFinishesIt) {
  const std::string first = KeyOf(0, "\x01");
  const std::string last = KeyOf(0, "\xff");
  Entries entries = entries_;
  for (const std::string& key : {first, last}) {
    entries[key] = std::string(5000, 'v');
    Put(a_, key, entries[key]);
  }
  Interrupt(Command("plain", "compressed"), "batch rewritten", 4);
  EXPECT_THAT(Run("plain", "ring"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("unfinished reshard"),
                             HasSubstr("from plain to compressed"))));
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Run("plain", "zstd"));
  EXPECT_EQ(result.contents, DigestOf(entries));
  ExpectHolds("compressed", entries);
  const ValueCodec zstd = rings_.Codec("zstd");
  const Entries stored = ReadFolder(a_);
  for (const auto& [key, value] : stored) {
    EXPECT_TRUE(zstd.IsCurrent(key, value, entries[key]));
  }
  ExpectNotMarked();
}

TEST_F(RecodeResumeTest, FoldersThatChangedPlacesAreNoticed) {
  Interrupt(Command("plain", "ring"), "batch rewritten", 3);
  const std::string c = dir_.Join("c");
  const auto swap = [&] {
    std::filesystem::rename(a_, c);
    std::filesystem::rename(b_, a_);
    std::filesystem::rename(c, b_);
  };
  swap();
  EXPECT_THAT(Run("plain", "ring"), StatusIs(absl::StatusCode::kInvalidArgument,
                                             HasSubstr("holds the key")));
  swap();
  ASSERT_OK(Run("plain", "ring"));
  ExpectHolds("ring", entries_);
}

// Somebody follows the rule for other runs and removes them.
TEST_F(RecodeResumeTest, WithoutItsMarkersARunIsStillKnownByItsRecords) {
  Interrupt(Command("plain", "ring"), "folder rewritten");
  for (const std::string& folder : folders_) {
    std::filesystem::remove(folder + "/RESHARD");
  }
  EXPECT_THAT(Run("plain", "other"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("holds records of an unfinished change")));
  EXPECT_THAT(Run("plain", "plain"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("reserved key")));
  // The first values are sealed already, and known to be.
  ASSERT_OK(Run("plain", "ring"));
  ExpectHolds("ring", entries_);
}

TEST_F(RecodeResumeTest, ADamagedMarkerCountsAsWhatTheOthersSay) {
  Interrupt(Command("plain", "ring"), "batch rewritten", 3);
  std::filesystem::resize_file(a_ + "/RESHARD", 40);
  ASSERT_OK(Run("plain", "ring"));
  ExpectHolds("ring", entries_);
}

TEST_F(RecodeResumeTest, AFolderOutOfABackupIsRewrittenAsAWhole) {
  const std::string backup = dir_.Join("backup");
  std::filesystem::copy(b_, backup, std::filesystem::copy_options::recursive);
  Interrupt(Command("plain", "ring"), "old values dropped", 2);
  std::filesystem::remove_all(b_);
  std::filesystem::rename(backup, b_);
  ASSERT_OK(Run("plain", "ring"));
  ExpectHolds("ring", entries_);
}

TEST_F(RecodeResumeTest, TheSameCommandAgainLooksAndRewritesNothing) {
  ASSERT_OK(Run("plain", "ring"));
  ASSERT_OK_AND_ASSIGN(const ReshardResult again, Run("plain", "ring"));
  EXPECT_EQ(again.moved, 0);
  EXPECT_EQ(again.contents, DigestOf(entries_));
  const std::string key = KeyOf(0, "new");
  Put(a_, key, "not sealed");
  EXPECT_THAT(Run("plain", "ring"),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(a_), HasSubstr("finished before"))));
}

TEST_F(RecodeResumeTest, ARecordIsNotBelievedAgainstTheValues) {
  const std::string before = dir_.Join("before");
  const std::string before_b = dir_.Join("before_b");
  std::filesystem::copy(a_, before, std::filesystem::copy_options::recursive);
  std::filesystem::copy(b_, before_b, std::filesystem::copy_options::recursive);
  for (const auto& [form, what] :
       {std::pair("ring", "sealed"), std::pair("compressed", "compressed")}) {
    ASSERT_OK(Run("plain", form));
    const std::string stored = dir_.Join(what);
    std::filesystem::copy(a_, stored, std::filesystem::copy_options::recursive);
    ASSERT_OK(Run(form, "plain"));
    const std::string record = dir_.Join("record");
    std::filesystem::rename(a_ + "/RESHARD.done", record);
    std::filesystem::remove_all(a_);
    std::filesystem::rename(stored, a_);
    std::filesystem::rename(record, a_ + "/RESHARD.done");
    EXPECT_THAT(Run(form, "plain"),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr(a_), HasSubstr(what),
                               HasSubstr("finished before"))));
    // Folders without labels, together.
    std::filesystem::remove_all(a_);
    std::filesystem::copy(before, a_, std::filesystem::copy_options::recursive);
    std::filesystem::remove_all(b_);
    std::filesystem::copy(before_b, b_,
                          std::filesystem::copy_options::recursive);
  }
}

TEST_F(RecodeResumeTest, AFinishedRunOnlyRemovesWhatIsLeft) {
  ReshardOptions options = Command("plain", "ring");
  const std::string copy = dir_.Join("copy");
  options.on_step = [&](absl::string_view step) {
    if (step == "finished") {
      std::filesystem::copy(a_ + "/RESHARD", copy);
    }
  };
  ASSERT_OK(Reshard(options));
  // As if the process had died before the marker of the coordinator went.
  std::filesystem::rename(copy, a_ + "/RESHARD");
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Run("plain", "ring"));
  EXPECT_EQ(result.moved, 0);
  EXPECT_EQ(result.contents, DigestOf(entries_));
  ExpectNotMarked();
  ExpectHolds("ring", entries_);
}

}  // namespace
}  // namespace shardingdb
