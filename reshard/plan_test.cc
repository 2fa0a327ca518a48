// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/plan.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Kind = Folder::Kind;

// A folder with an inode of its own, unless it is missing.
Folder At(const std::string& path, Kind kind) {
  Folder folder;
  folder.given = path;
  folder.path = path;
  folder.kind = kind;
  if (kind == Kind::kMissing) return folder;
  folder.device = 1;
  folder.inode = 1 + std::hash<std::string>()(path) % 1000000007;
  return folder;
}

Folder Database(const std::string& path) { return At(path, Kind::kDatabase); }
Folder Missing(const std::string& path) { return At(path, Kind::kMissing); }

Folder Marked(Folder folder, const ReshardCommand& command) {
  Marker marker;
  marker.run = "earlier";
  marker.command = command;
  folder.marker = marker;
  return folder;
}

// `plan` in one line: each member as input (i) or not, its shard, and what
// becomes of it.
std::string Describe(const ReshardPlan& plan) {
  std::string text = plan.in_place ? "in place:" : "migration:";
  for (const ReshardPlan::Member& member : plan.members) {
    text += " " + member.path + (member.is_input ? " i" : " -");
    text += member.shard.has_value() ? std::to_string(*member.shard) : "-";
    text += member.written ? "w" : "r";
    if (member.is_missing) text += " new";
  }
  return text;
}

struct Layout {
  std::vector<Folder> inputs;
  std::vector<Folder> outputs;
  std::string plan;
};

TEST(PlanTest, SaysWhatBecomesOfEachFolder) {
  const std::vector<Layout> layouts = {
      {{Database("/a")},
       {Missing("/x"), At("/y", Kind::kEmpty)},
       "migration: /a i-r /x -0w new /y -1w"},
      {{Database("/a"), Database("/b")},
       {Missing("/x")},
       "migration: /a i-r /b i-r /x -0w new"},
      {{Database("/a")},
       {Database("/a"), Missing("/b"), Missing("/c")},
       "in place: /a i0w /b -1w new /c -2w new"},
      {{Database("/a"), Database("/b")},
       {Database("/b"), Missing("/c"), Database("/a")},
       "in place: /a i2w /b i0w /c -1w new"},
      {{Database("/a"), Database("/b"), Database("/c")},
       {Database("/a"), Database("/b")},
       "in place: /a i0w /b i1w /c i-w"},
      {{Database("/a"), Database("/b")},
       {Database("/a"), Missing("/c")},
       "in place: /a i0w /b i-w /c -1w new"},
      {{Database("/a"), Database("/b")}, {}, "in place: /a i0w /b i1w"},
      {{Database("/a")}, {}, "in place: /a i0w"},
      // Beside one another, though one name begins with the other.
      {{Database("/a")},
       {Missing("/a-b"), Missing("/ab")},
       "migration: /a i-r /a-b -0w new /ab -1w new"},
  };
  for (const Layout& layout : layouts) {
    ASSERT_OK_AND_ASSIGN(
        const ReshardPlan plan,
        PlanReshard(layout.inputs, layout.outputs, JumpSharding()));
    EXPECT_EQ(Describe(plan), layout.plan);
    EXPECT_FALSE(plan.resumes());
    EXPECT_FALSE(plan.finished);
  }
}

TEST(PlanTest, TheFirstOutputIsTheCoordinator) {
  ASSERT_OK_AND_ASSIGN(
      const ReshardPlan plan,
      PlanReshard({Database("/a"), Database("/b")},
                  {Database("/b"), Database("/a")}, JumpSharding()));
  EXPECT_EQ(plan.members[plan.coordinator()].path, "/b");
}

TEST(PlanTest, RemembersTheCommand) {
  ASSERT_OK_AND_ASSIGN(const ReshardPlan plan,
                       PlanReshard({Database("/b"), Database("/a")},
                                   {Missing("/x")}, MurmurSharding()));
  EXPECT_THAT(plan.command.inputs, ElementsAre("/a", "/b"));
  EXPECT_THAT(plan.command.outputs, ElementsAre("/x"));
  EXPECT_EQ(plan.command.function, "murmur");
}

TEST(PlanTest, TheFunctionSaysWhoOwnsAKey) {
  ASSERT_OK_AND_ASSIGN(
      const ReshardPlan plan,
      PlanReshard(
          {Database("/a")}, {Missing("/x"), Missing("/y")},
          CustomSharding("first-byte", [](const leveldb::Slice& key, uint32_t) {
            return static_cast<uint32_t>(key[0] - '0');
          })));
  EXPECT_THAT(plan.OwnerOf("0"), IsOkAndHolds(1));
  EXPECT_THAT(plan.OwnerOf("1"), IsOkAndHolds(2));
  EXPECT_THAT(plan.OwnerOf("7"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("'first-byte'"), HasSubstr("answered 7"),
                             HasSubstr("2 shards"))));
}

struct Refusal {
  std::vector<Folder> inputs;
  std::vector<Folder> outputs;
  std::string message;
};

TEST(PlanTest, RefusesFoldersThatWouldLoseSomething) {
  Folder link = Database("/link-to-a");
  link.inode = Database("/a").inode;
  const std::vector<Refusal> refusals = {
      {{Missing("/a")}, {Missing("/x")}, "/a: there is no such folder"},
      {{At("/a", Kind::kFile)}, {Missing("/x")}, "/a: is not a folder"},
      {{At("/a", Kind::kEmpty)}, {Missing("/x")}, "/a: there is no LevelDB"},
      {{At("/a", Kind::kOther)}, {Missing("/x")}, "/a: there is no LevelDB"},
      {{Database("/a"), Missing("/b")}, {}, "/b: there is no such folder"},
      {{Database("/a")}, {Database("/x")}, "/x: holds other data"},
      {{Database("/a")}, {At("/x", Kind::kOther)}, "/x: holds other data"},
      {{Database("/a")}, {At("/x", Kind::kFile)}, "/x: is not a folder"},
      {{Database("/a")},
       {Database("/a"), Database("/x")},
       "/x: holds other data"},
      {{Database("/a"), Database("/a")},
       {Missing("/x")},
       "/a: listed twice after -i"},
      {{Database("/a"), link}, {Missing("/x")}, "(as '/a' and '/link-to-a')"},
      {{Database("/a")},
       {Missing("/x"), Missing("/x")},
       "/x: listed twice after -o"},
      {{Database("/a")},
       {Missing("/a/b")},
       "/a/b: lies inside /a, another folder"},
      {{Database("/a")},
       {Missing("/x/y/z"), Missing("/x")},
       "/x/y/z: lies inside /x"},
  };
  for (const Refusal& refusal : refusals) {
    EXPECT_THAT(PlanReshard(refusal.inputs, refusal.outputs, JumpSharding()),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr(refusal.message)));
  }
}

TEST(PlanTest, ALinkToAnInputIsThatInput) {
  Folder link = Database("/link-to-a");
  link.inode = Database("/a").inode;
  ASSERT_OK_AND_ASSIGN(
      const ReshardPlan plan,
      PlanReshard({Database("/a")}, {link, Missing("/b")}, JumpSharding()));
  EXPECT_EQ(Describe(plan), "in place: /a i0w /b -1w new");
}

const ValueForms kSeal = {"plain", "key-ring 00"};

TEST(PlanTest, ValuesChangeInFoldersThatStayOrOnTheWayToNewOnes) {
  ASSERT_OK_AND_ASSIGN(
      const ReshardPlan recode,
      PlanReshard({Database("/a"), Database("/b")}, {}, JumpSharding(), kSeal));
  EXPECT_TRUE(recode.recodes());
  EXPECT_EQ(recode.command.values, kSeal);
  ASSERT_OK_AND_ASSIGN(
      const ReshardPlan migration,
      PlanReshard({Database("/a")}, {Missing("/x")}, JumpSharding(), kSeal));
  EXPECT_FALSE(migration.recodes());
  EXPECT_EQ(migration.command.values, kSeal);
  for (const std::vector<Folder>& outputs :
       {std::vector<Folder>{Database("/a")},
        std::vector<Folder>{Database("/a"), Missing("/x")},
        std::vector<Folder>{Database("/a"), Database("/b"), Missing("/x")}}) {
    EXPECT_THAT(PlanReshard({Database("/a"), Database("/b")}, outputs,
                            JumpSharding(), kSeal),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("do it in two commands")));
  }
}

TEST(PlanTest, AChangeOfValuesThatHasFinishedRepeatsUnlessTheRingStays) {
  for (const ValueForms& values :
       {kSeal, ValueForms{"key-ring 00", "key-ring 00"}}) {
    ASSERT_OK_AND_ASSIGN(
        const ReshardPlan first,
        PlanReshard({Database("/a")}, {}, JumpSharding(), values));
    EXPECT_FALSE(first.repeats);
    EXPECT_TRUE(first.NothingCopied());
    Folder folder = Database("/a");
    folder.record = Marker();
    folder.record->command = first.command;
    folder.record->finished = true;
    ASSERT_OK_AND_ASSIGN(const ReshardPlan again,
                         PlanReshard({folder}, {}, JumpSharding(), values));
    EXPECT_EQ(again.repeats, values.in != values.out);
    ASSERT_OK_AND_ASSIGN(const ReshardPlan resumed,
                         PlanReshard({Marked(folder, first.command)}, {},
                                     JumpSharding(), values));
    EXPECT_FALSE(resumed.repeats);
    EXPECT_TRUE(resumed.resumes());
    EXPECT_FALSE(resumed.NothingCopied());
  }
}

TEST(PlanTest, AnotherFormOfValuesIsAnotherCommand) {
  ASSERT_OK_AND_ASSIGN(
      const ReshardPlan plan,
      PlanReshard({Database("/a")}, {}, JumpSharding(), kSeal));
  const Folder marked = Marked(Database("/a"), plan.command);
  for (const ValueForms& values :
       {ValueForms(), ValueForms{"plain", "key-ring 11"},
        ValueForms{"legacy-aes-cbc", "key-ring 00"}}) {
    EXPECT_THAT(PlanReshard({marked}, {}, JumpSharding(), values),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr("unfinished reshard"),
                               HasSubstr("from plain to key-ring 00"))));
  }
}

TEST(PlanTest, NeedsInputs) {
  EXPECT_THAT(PlanReshard({}, {Missing("/x")}, JumpSharding()),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PlanTest, RefusesMoreOutputsThanThereCanBeShards) {
  const std::vector<Folder> outputs(kMaxShards + 1, Missing("/x"));
  EXPECT_THAT(PlanReshard({Database("/a")}, outputs, JumpSharding()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("65536")));
}

TEST(PlanTest, RefusesAFunctionForOldDataOnly) {
  EXPECT_THAT(PlanReshard({Database("/a")}, {Missing("/x")}, XorSharding()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("'xor'"), HasSubstr("old data"))));
}

class ResumedPlanTest : public ::testing::Test {
 protected:
  absl::StatusOr<ReshardPlan> Plan(const std::vector<Folder>& inputs,
                                   const std::vector<Folder>& outputs) {
    return PlanReshard(inputs, outputs, JumpSharding());
  }

  const ReshardCommand grow_ = {{"/a"}, {"/a", "/b"}, "jump"};
};

TEST_F(ResumedPlanTest, TheSameCommandMayGoOn) {
  const Folder a = Marked(Database("/a"), grow_);
  ASSERT_OK_AND_ASSIGN(const ReshardPlan plan,
                       Plan({a}, {a, Marked(Database("/b"), grow_)}));
  EXPECT_EQ(Describe(plan), "in place: /a i0w /b -1w");
  EXPECT_TRUE(plan.resumes());
  EXPECT_TRUE(plan.members[0].marked);
  EXPECT_TRUE(plan.members[1].marked);
  EXPECT_FALSE(plan.finished);
}

TEST_F(ResumedPlanTest, SoItMayWhereMarkingWasInterrupted) {
  ASSERT_OK_AND_ASSIGN(
      const ReshardPlan plan,
      Plan({Database("/a")},
           {Database("/a"), Marked(At("/b", Kind::kEmpty), grow_)}));
  EXPECT_TRUE(plan.resumes());
  EXPECT_FALSE(plan.members[0].marked);
}

TEST_F(ResumedPlanTest, AnyOtherCommandIsRefusedAndToldWhichIsUnfinished) {
  const Folder a = Marked(Database("/a"), grow_);
  const Folder b = Marked(Database("/b"), grow_);
  const std::vector<Refusal> refusals = {
      {{a}, {a, Missing("/c")}, "/a: "},  // other outputs
      {{a}, {b, a}, "/a: "},              // in another order
      {{Database("/c")}, {b}, "/b: "},    // its output
      {{a}, {Missing("/x")}, "/a: "},     // only reading
      {{Database("/c"), b}, {}, "/b: "},  // its output as an input
      {{a, b}, {a, b}, "/a: "},           // more inputs
  };
  for (const Refusal& refusal : refusals) {
    EXPECT_THAT(Plan(refusal.inputs, refusal.outputs),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(refusal.message),
                               HasSubstr("unfinished reshard"),
                               HasSubstr("-i /a -o /a,/b --sharding=jump"))));
  }
  EXPECT_THAT(PlanReshard({a}, {a, b}, MurmurSharding()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("unfinished reshard")));
}

TEST_F(ResumedPlanTest, OutputsOfAnUnfinishedMigrationMayBeRemoved) {
  const ReshardCommand migrate = {{"/a"}, {"/x"}, "jump"};
  EXPECT_THAT(Plan({Database("/b")}, {Marked(Database("/x"), migrate)}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("outputs may be removed instead")));
  EXPECT_THAT(Plan({Database("/b")}, {Marked(Database("/a"), grow_)}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       ::testing::Not(HasSubstr("may be removed"))));
}

TEST_F(ResumedPlanTest, InputsMayComeInAnotherOrder) {
  const ReshardCommand merge = {{"/a", "/b"}, {"/x"}, "jump"};
  const Folder x = Marked(Database("/x"), merge);
  EXPECT_OK(Plan({Database("/b"), Database("/a")}, {x}));
}

TEST_F(ResumedPlanTest, TakesTheContentsFromAnyMarker) {
  Folder b = Marked(Database("/b"), grow_);
  b.marker->contents = MultisetDigest();
  b.marker->contents->Add(EntryHash{1});
  ASSERT_OK_AND_ASSIGN(const ReshardPlan plan,
                       Plan({Database("/a")}, {Database("/a"), b}));
  EXPECT_EQ(plan.contents, b.marker->contents);
}

TEST_F(ResumedPlanTest, RefusesMarkersThatDisagreeAboutTheContents) {
  Folder a = Marked(Database("/a"), grow_);
  Folder b = Marked(Database("/b"), grow_);
  a.marker->contents = MultisetDigest();
  b.marker->contents = MultisetDigest();
  b.marker->contents->Add(EntryHash{1});
  EXPECT_THAT(Plan({a}, {a, b}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("/b"), HasSubstr("disagrees"))));
}

TEST_F(ResumedPlanTest, AFinishedRunOnlyLacksTheRemovalOfItsMarkers) {
  const ReshardCommand migrate = {{"/a"}, {"/x", "/y"}, "jump"};
  Folder x = Marked(Database("/x"), migrate);
  x.marker->finished = true;
  x.marker->contents = MultisetDigest();
  ASSERT_OK_AND_ASSIGN(const ReshardPlan plan,
                       Plan({Database("/a")}, {x, Database("/y")}));
  EXPECT_TRUE(plan.finished);
  EXPECT_TRUE(plan.resumes());
}

TEST_F(ResumedPlanTest, OnlyTheCoordinatorSaysThatARunIsFinished) {
  const ReshardCommand migrate = {{"/a"}, {"/x", "/y"}, "jump"};
  Folder y = Marked(Database("/y"), migrate);
  y.marker->finished = true;
  y.marker->contents = MultisetDigest();
  EXPECT_THAT(Plan({Database("/a")}, {Database("/x"), y}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/x: holds other data")));
}

TEST(CheckToReadTest, AcceptsDatabasesAndNothingElse) {
  EXPECT_OK(CheckToRead({Database("/a"), Database("/b")}));
  EXPECT_THAT(CheckToRead({}), StatusIs(absl::StatusCode::kInvalidArgument));
  for (Kind kind : {Kind::kMissing, Kind::kFile, Kind::kEmpty, Kind::kOther}) {
    EXPECT_THAT(
        CheckToRead({Database("/a"), At("/b", kind)}),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("/b")));
  }
}

TEST(CheckToReadTest, RefusesAFolderTwiceAndHalfMovedOnes) {
  EXPECT_THAT(
      CheckToRead({Database("/a"), Database("/a")}),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("twice")));
  const ReshardCommand command = {{"/a"}, {"/a", "/b"}, "jump"};
  EXPECT_THAT(CheckToRead({Marked(Database("/a"), command)}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("unfinished reshard")));
}

}  // namespace
}  // namespace shardingdb
