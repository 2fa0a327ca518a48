// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/set_layout.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "crypto/key_ring.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Contents = FoundShard::Contents;
using Labels = SetLayout::Labels;
using Found = std::vector<FoundShard>;

constexpr char kOrder[] = "leveldb.BytewiseComparator";

SetLayoutWanted Wanted() {
  SetLayoutWanted wanted;
  wanted.function = JumpSharding();
  wanted.comparator = kOrder;
  return wanted;
}

SetLayoutWanted ReadOnly() {
  SetLayoutWanted wanted = Wanted();
  wanted.read_only = true;
  return wanted;
}

SetLayoutWanted Adopting() {
  SetLayoutWanted wanted = Wanted();
  wanted.adoption = true;
  return wanted;
}

ShardLabel Label(uint32_t shard, uint32_t count) {
  ShardLabel label;
  label.set_id = std::string(32, 'a');
  label.shard = shard;
  label.shard_count = count;
  label.function = "jump";
  label.comparator = kOrder;
  return label;
}

// /a, /b, ... with these contents and no labels.
Found Unlabelled(const std::vector<Contents>& contents) {
  Found found(contents.size());
  for (size_t i = 0; i < found.size(); ++i) {
    found[i].name =
        absl::StrCat("/", std::string(1, static_cast<char>('a' + i)));
    found[i].contents = contents[i];
  }
  return found;
}

// /a, /b, ... with entries, which are these shards of `count`.
Found Labelled(const std::vector<uint32_t>& shards, uint32_t count) {
  Found found =
      Unlabelled(std::vector<Contents>(shards.size(), Contents::kEntries));
  for (size_t i = 0; i < shards.size(); ++i) {
    found[i].label = Label(shards[i], count);
  }
  return found;
}

TEST(DecideLayoutTest, NewDatabasesBecomeASet) {
  for (const Found& found :
       {Unlabelled({Contents::kNoDatabase, Contents::kNoDatabase}),
        Unlabelled({Contents::kUnwritten, Contents::kNoDatabase}),
        Unlabelled({Contents::kEmpty, Contents::kUnwritten}),
        Unlabelled({Contents::kNoDatabase})}) {
    const auto layout = DecideLayout(found, Wanted());
    ASSERT_OK(layout.status());
    EXPECT_EQ(layout->labels, Labels::kNew);
    EXPECT_FALSE(layout->adopts);
    EXPECT_EQ(layout->place_of_shard.front(), 0);
    EXPECT_EQ(layout->place_of_shard.back(), found.size() - 1);
  }
}

TEST(DecideLayoutTest, ASetIsOpenedInItsOwnOrder) {
  for (const SetLayoutWanted& wanted : {Wanted(), ReadOnly(), Adopting()}) {
    const auto layout = DecideLayout(Labelled({2, 0, 1}, 3), wanted);
    ASSERT_OK(layout.status());
    EXPECT_EQ(layout->labels, Labels::kStay);
    EXPECT_THAT(layout->place_of_shard, ElementsAre(1, 2, 0));
    EXPECT_EQ(layout->set_id, Label(0, 3).set_id);
  }
}

TEST(DecideLayoutTest, OneDatabaseWithEntriesIsAdopted) {
  Found found = Unlabelled({Contents::kEntries});
  const auto layout = DecideLayout(found, Wanted());
  ASSERT_OK(layout.status());
  EXPECT_EQ(layout->labels, Labels::kNew);
  EXPECT_TRUE(layout->adopts);
  found[0].not_adoptable = absl::FailedPreconditionError("the key is wrong");
  EXPECT_THAT(DecideLayout(found, Wanted()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/a: the key is wrong")));
}

TEST(DecideLayoutTest, SeveralWithEntriesAreAdoptedOnlyIfAskedFor) {
  Found found = Unlabelled({Contents::kEmpty, Contents::kEntries});
  EXPECT_THAT(DecideLayout(found, Wanted()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("/b: holds entries and no label"),
                             HasSubstr("WithAdoption(\"jump\")"))));
  const auto layout = DecideLayout(found, Adopting());
  ASSERT_OK(layout.status());
  EXPECT_EQ(layout->labels, Labels::kNew);
  found[1].not_adoptable = absl::FailedPreconditionError("holds the key");
  EXPECT_THAT(DecideLayout(found, Adopting()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/b: holds the key")));
}

TEST(DecideLayoutTest, WhatIsOnlyReadNeedsNoLabels) {
  const auto layout = DecideLayout(
      Unlabelled({Contents::kEntries, Contents::kEntries}), ReadOnly());
  ASSERT_OK(layout.status());
  EXPECT_EQ(layout->labels, Labels::kStay);
  EXPECT_THAT(layout->place_of_shard, ElementsAre(0, 1));
}

TEST(DecideLayoutTest, AFunctionForOldDataMakesNoSet) {
  SetLayoutWanted wanted = Adopting();
  wanted.function = XorSharding();
  EXPECT_THAT(DecideLayout(Unlabelled({Contents::kUnwritten}), wanted),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("for reading old data only")));
  EXPECT_OK(DecideLayout(Unlabelled({Contents::kEntries}), wanted).status());
}

// Labels of a set that is being made.
Found Creating(Found found) {
  for (FoundShard& place : found) {
    if (place.label.has_value()) place.label->stable = false;
    if (place.contents == Contents::kEntries) place.contents = Contents::kEmpty;
  }
  return found;
}

TEST(DecideLayoutTest, ACreationThatWasCutShortIsFinished) {
  Found some = Creating(Labelled({0, 2, 1}, 3));
  some[0].label.reset();
  some[0].contents = Contents::kUnwritten;
  some[1].label.reset();
  some[1].contents = Contents::kNoDatabase;
  auto layout = DecideLayout(some, Wanted());
  ASSERT_OK(layout.status());
  EXPECT_EQ(layout->labels, Labels::kFinish);
  EXPECT_EQ(layout->set_id, Label(0, 3).set_id);
  EXPECT_THAT(layout->place_of_shard, ElementsAre(0, 2, 1));

  Found all = Creating(Labelled({1, 0}, 2));
  all[1].label->stable = true;
  all[1].contents = Contents::kEntries;
  layout = DecideLayout(all, Wanted());
  ASSERT_OK(layout.status());
  EXPECT_EQ(layout->labels, Labels::kFinish);
  EXPECT_THAT(layout->place_of_shard, ElementsAre(1, 0));
}

TEST(DecideLayoutTest, AnAdoptionThatWasCutShortIsFinishedOnlyByAdoption) {
  Found found = Creating(Labelled({0, 1}, 2));
  found[1].label.reset();
  found[1].contents = Contents::kEntries;
  EXPECT_THAT(DecideLayout(found, Wanted()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/b: holds entries")));
  const auto layout = DecideLayout(found, Adopting());
  ASSERT_OK(layout.status());
  EXPECT_EQ(layout->labels, Labels::kFinish);
  EXPECT_TRUE(layout->adopts);

  Found turned = Creating(Labelled({1, 0}, 2));
  turned[0].contents = Contents::kEntries;
  EXPECT_THAT(DecideLayout(turned, Adopting()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/a: is shard 1 of 2, not shard 0")));
}

TEST(DecideLayoutTest, NamesTheFirstDisagreement) {
  const struct {
    std::string name;
    Found found;
    std::function<void(Found*)> change;
    std::string expected;
  } kCases[] = {
      {"too few", Labelled({0, 2}, 4), nullptr,
       "2 shards are given, but /a is shard 0 of 4: missing shard 1, 3"},
      {"one of two", Labelled({1}, 2), nullptr,
       "1 shard is given, but /a is shard 1 of 2: missing shard 0"},
      {"repeated", Labelled({0, 1, 0}, 3), nullptr,
       "/c: is shard 0 of 3, and so is /a"},
      {"more", Labelled({0, 1}, 2),
       [](Found* found) {
         found->push_back(Unlabelled({Contents::kEntries})[0]);
         found->back().name = "/c";
       },
       "3 shards are given, but /a is shard 0 of 2"},
      {"foreign", Labelled({0, 1}, 2),
       [](Found* found) { (*found)[1].label->set_id = std::string(32, 'b'); },
       "/b: is of the set bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, but /a is of the "
       "set aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
      {"epoch", Labelled({0, 1}, 2),
       [](Found* found) { (*found)[1].label->epoch = 2; },
       "/b: is of epoch 2, but /a is of epoch 1"},
      {"count", Labelled({0, 1}, 2),
       [](Found* found) { (*found)[1].label->shard_count = 3; },
       "/b: is of a set with this number of shards: 3, but /a is"},
      {"functions", Labelled({0, 1}, 2),
       [](Found* found) { (*found)[1].label->function = "murmur"; },
       "/b: is of a set with the sharding function murmur, but /a is"},
      {"another function", Labelled({0, 1}, 2),
       [](Found* found) {
         for (FoundShard& place : *found) place.label->function = "murmur";
       },
       "/a: is a shard by the sharding function \"murmur\", not \"jump\""},
      {"another order", Labelled({0, 1}, 2),
       [](Found* found) {
         for (FoundShard& place : *found) place.label->comparator = "other";
       },
       "/a: has the comparator \"other\", not \"leveldb.BytewiseComparator\""},
      {"forms", Labelled({0, 1}, 2),
       [](Found* found) { (*found)[1].label->values = ValuesForm::kSealed; },
       "/b: holds sealed values under clear keys, but /a holds plain values"},
      {"another form", Labelled({0}, 1),
       [](Found* found) {
         (*found)[0].label->values = ValuesForm::kCompressed;
       },
       "/a: holds compressed values, not plain ones"},
      {"opaque keys", Labelled({0}, 1),
       [](Found* found) { (*found)[0].label->opaque_keys = true; },
       "/a: holds opaque keys, not clear ones"},
      {"lost label", Labelled({0, 1}, 2),
       [](Found* found) { (*found)[1].label.reset(); },
       "/b: has no label, but /a is shard 0 of 2"},
      {"lost database", Labelled({0, 1}, 2),
       [](Found* found) {
         (*found)[0].label.reset();
         (*found)[0].contents = Contents::kNoDatabase;
       },
       "/a: there is no database, but /b is shard 1 of 2"},
      {"unlabelled and lost",
       Unlabelled({Contents::kEntries, Contents::kNoDatabase}), nullptr,
       "shard 1: /b: no database, but shard 0, /a, has been written"},
      {"newer", Labelled({0, 1}, 2),
       [](Found* found) {
         (*found)[1].label.reset();
         (*found)[1].label_error = absl::FailedPreconditionError("newer");
       },
       "/b: its label: newer"},
  };
  for (const auto& row : kCases) {
    Found found = row.found;
    if (row.change != nullptr) row.change(&found);
    EXPECT_THAT(DecideLayout(found, Wanted()),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr(row.expected)))
        << row.name;
  }
}

TEST(DecideLayoutTest, ADamagedLabelIsDamage) {
  Found found = Labelled({0, 1}, 2);
  found[1].label.reset();
  found[1].label_error = absl::DataLossError("damaged: checksum");
  EXPECT_THAT(DecideLayout(found, Wanted()),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("/b: its label: damaged: checksum")));
}

TEST(DecideLayoutTest, AWrongKeyIsToldByTheKeyCheck) {
  const auto ring = KeyRing::Generate();
  const auto other = KeyRing::Generate();
  ASSERT_OK(ring.status());
  ASSERT_OK(other.status());
  Found found = Labelled({0}, 1);
  found[0].label->values = ValuesForm::kSealed;
  ASSERT_OK((*ring)->Seal("", KeyCheckKey(), &found[0].label->key_check));
  SetLayoutWanted wanted = Wanted();
  wanted.values = ValuesForm::kSealed;
  wanted.aead = *ring;
  EXPECT_OK(DecideLayout(found, wanted).status());
  wanted.aead = *other;
  EXPECT_THAT(DecideLayout(found, wanted),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/a: wrong key: the key check of the set does "
                                 "not open (sealed value: unknown key id")));
}

TEST(DecideLayoutTest, AnUnknownFormOfValuesIsCompletedByWhoKnowsIt) {
  Found found = Labelled({0, 1}, 2);
  found[1].label->values = ValuesForm::kUnknown;
  found[0].label->values = ValuesForm::kUnknown;
  auto layout = DecideLayout(found, Wanted());
  ASSERT_OK(layout.status());
  EXPECT_EQ(layout->labels, Labels::kStay);
  SetLayoutWanted sealed = Wanted();
  sealed.values = ValuesForm::kSealed;
  const auto ring = KeyRing::Generate();
  ASSERT_OK(ring.status());
  sealed.aead = *ring;
  layout = DecideLayout(found, sealed);
  ASSERT_OK(layout.status());
  EXPECT_EQ(layout->labels, Labels::kComplete);
  found[1].not_adoptable = absl::FailedPreconditionError("does not open");
  EXPECT_THAT(DecideLayout(found, sealed),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/b: does not open")));
}

TEST(DecideLayoutTest, AnUnfinishedSetIsNotOnlyRead) {
  EXPECT_THAT(DecideLayout(Creating(Labelled({0, 1}, 2)), ReadOnly()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/a: its set was not made to the end")));
}

TEST(CheckOneSetTest, TakesAWholeSetInAnyOrderOrNoLabels) {
  EXPECT_OK(CheckOneSet(Labelled({1, 0}, 2), /*allow_missing=*/false));
  EXPECT_OK(CheckOneSet(Unlabelled({Contents::kEntries, Contents::kEmpty}),
                        /*allow_missing=*/false));
  EXPECT_THAT(CheckOneSet(Labelled({1, 0}, 3), /*allow_missing=*/false),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("missing shard 2")));
  EXPECT_OK(CheckOneSet(Labelled({1, 0}, 3), /*allow_missing=*/true));
}

}  // namespace
}  // namespace shardingdb
