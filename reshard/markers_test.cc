// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/markers.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "reshard/marker.h"
#include "reshard/multiset_digest.h"
#include "reshard/plan.h"
#include "reshard/run_context.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;

// Folders a and b, of which b is the coordinator, and r, which is only read.
class MarkersTest : public ::testing::Test {
 protected:
  MarkersTest() {
    for (const char* name : {"a", "b", "r"}) {
      ReshardPlan::Member member;
      member.path = dir_.Join(name);
      member.is_input = true;
      member.written = name[0] != 'r';
      std::filesystem::create_directory(member.path);
      plan_.members.push_back(member);
    }
    plan_.outputs = {1, 0};
    plan_.in_place = true;
    plan_.command = {{"/a", "/b"}, {"/b", "/a"}, "jump"};
    contents_.Add(EntryHash{1});
    run_.plan = &plan_;
    run_.env = leveldb::Env::Default();
    run_.on_step = [this](absl::string_view step) {
      steps_.push_back(std::string(step));
    };
  }

  std::optional<Marker> MarkerOf(size_t member) {
    const auto marker = ReadMarker(run_.env, run_.path(member));
    EXPECT_OK(marker.status());
    return marker.ok() ? *marker : std::nullopt;
  }

  TempDir dir_;
  ReshardPlan plan_;
  MultisetDigest contents_;
  RunContext run_;
  std::vector<std::string> steps_;
  Markers markers_{run_};
};

TEST_F(MarkersTest, ContentsComeWhenAllAreMarked) {
  ASSERT_OK(markers_.Write());
  for (size_t i : {0, 1}) {
    ASSERT_TRUE(MarkerOf(i).has_value());
    EXPECT_EQ(MarkerOf(i)->command, plan_.command);
    EXPECT_FALSE(MarkerOf(i)->contents.has_value());
  }
  ASSERT_OK(markers_.AddContents(contents_));
  for (size_t i : {0, 1}) EXPECT_EQ(MarkerOf(i)->contents, contents_);
  EXPECT_FALSE(MarkerOf(2).has_value());
  EXPECT_THAT(steps_, ElementsAre("folder marked", "folder marked",
                                  "contents marked", "contents marked"));
}

TEST_F(MarkersTest, ContentsThatAreKnownAreWrittenAtOnce) {
  plan_.contents = contents_;
  plan_.members[1].marked = true;
  plan_.members[1].marker_has_contents = true;
  ASSERT_OK(markers_.Write());
  ASSERT_OK(markers_.AddContents(contents_));
  EXPECT_EQ(MarkerOf(0)->contents, contents_);
  EXPECT_THAT(steps_, ElementsAre("folder marked"));
}

TEST_F(MarkersTest, RecordsReplaceThemInTheEnd) {
  ASSERT_OK(markers_.Write());
  ASSERT_OK(markers_.Finish(contents_));
  for (size_t i : {0, 1}) {
    EXPECT_FALSE(MarkerOf(i).has_value());
    const std::optional<Marker> record = ReadRecord(run_.env, run_.path(i));
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->contents, contents_);
  }
}

TEST_F(MarkersTest, WhereValuesAreOpenedNoDigestIsWritten) {
  plan_.command.values.out = "key-ring 00";
  ASSERT_OK(markers_.Write());
  ASSERT_OK(markers_.SayFinished(contents_));
  EXPECT_TRUE(MarkerOf(1)->finished);
  EXPECT_FALSE(MarkerOf(0)->finished);
  EXPECT_FALSE(MarkerOf(1)->contents.has_value());
  ASSERT_OK(markers_.PutRecords(contents_));
  for (size_t i : {0, 1}) {
    EXPECT_FALSE(MarkerOf(i).has_value());
    const std::optional<Marker> record = ReadRecord(run_.env, run_.path(i));
    ASSERT_TRUE(record.has_value());
    EXPECT_FALSE(record->contents.has_value());
    EXPECT_EQ(record->command, plan_.command);
  }
}

TEST_F(MarkersTest, WhereValuesAreOpenedAMarkerDoesNotProveThatNothingWasDone) {
  plan_.command.values.out = "key-ring 00";
  ASSERT_OK(markers_.Write());
  for (size_t i : {0, 1}) plan_.members[i].marked = true;
  EXPECT_THAT(markers_.TakeAway(absl::UnavailableError("why")),
              StatusIs(absl::StatusCode::kUnavailable,
                       "why; run the same command again to go on"));
  for (size_t i : {0, 1}) EXPECT_TRUE(MarkerOf(i).has_value());
}

TEST_F(MarkersTest, TheCoordinatorComesLast) {
  std::filesystem::remove(plan_.members[0].path);
  EXPECT_THAT(markers_.Write(), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_FALSE(MarkerOf(1).has_value());
}

TEST_F(MarkersTest, AreTakenAwayWhenNothingWasCopied) {
  // As an earlier run left it that was killed while it marked.
  plan_.members[0].marked = true;
  ASSERT_OK(markers_.Write());
  EXPECT_THAT(markers_.TakeAway(absl::FailedPreconditionError("why")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "why; nothing was copied, the set is as it was"));
  for (size_t i : {0, 1}) EXPECT_FALSE(MarkerOf(i).has_value());
}

TEST_F(MarkersTest, StayWhenSomethingMayHaveBeenCopied) {
  ASSERT_OK(markers_.Write());
  for (size_t i : {0, 1}) plan_.members[i].marked = true;
  plan_.contents = contents_;
  EXPECT_THAT(markers_.TakeAway(absl::FailedPreconditionError("why")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "why; run the same command again to go on"));
  for (size_t i : {0, 1}) EXPECT_TRUE(MarkerOf(i).has_value());
}

TEST_F(MarkersTest, ANewOutputWithHalfADatabaseKeepsIts) {
  plan_.members[1].is_input = false;
  ASSERT_OK(markers_.Write());
  std::ofstream(dir_.Join("b") + "/MANIFEST-000001") << "half";
  EXPECT_THAT(markers_.TakeAway(absl::UnavailableError("why")),
              StatusIs(absl::StatusCode::kUnavailable,
                       ::testing::HasSubstr("remove them: " + run_.path(1))));
  EXPECT_FALSE(MarkerOf(0).has_value());
  EXPECT_TRUE(MarkerOf(1).has_value());
}

}  // namespace
}  // namespace shardingdb
