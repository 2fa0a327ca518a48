// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/folders_digest.h"
#include "reshard/generated_set.h"
#include "reshard/marker.h"
#include "reshard/offline_reshard.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// What becomes of a run that was interrupted when something else happens before
// the same command comes again.
class ResumeTest : public ::testing::Test {
 protected:
  ResumeTest() { WriteSet({a_, b_}, JumpSharding(), entries_); }

  ReshardOptions Command(const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs) {
    ReshardOptions options;
    options.inputs = inputs;
    options.outputs = outputs;
    options.batch_bytes = 4096;
    return options;
  }

  // Runs the command until the step has been passed so many times.
  void Interrupt(ReshardOptions options, absl::string_view at, int times = 1) {
    std::atomic<bool> stop{false};
    std::atomic<int> seen{0};
    options.stop = &stop;
    options.on_step = [&](absl::string_view step) {
      if (step == at && ++seen == times) stop = true;
    };
    ASSERT_THAT(Reshard(options), StatusIs(absl::StatusCode::kCancelled));
  }

  // Opens with plain LevelDB, which knows nothing of markers.
  std::unique_ptr<leveldb::DB> OpenPlain(const std::string& folder) {
    leveldb::DB* db = nullptr;
    EXPECT_OK(leveldb::DB::Open(leveldb::Options(), folder, &db));
    return std::unique_ptr<leveldb::DB>(db);
  }

  TempDir dir_;
  const std::string a_ = dir_.Join("a");
  const std::string b_ = dir_.Join("b");
  const std::string c_ = dir_.Join("c");
  const Entries entries_ = GenerateEntries(3, 1000);
  const ReshardOptions grow_ = Command({a_, b_}, {a_, b_, c_});
  const ReshardOptions migrate_ = Command({a_, b_}, {c_});
};

TEST_F(ResumeTest, UntilThenNobodyOpensTheFolders) {
  Interrupt(grow_, "output synced");
  for (const std::string& folder : {a_, b_, c_}) {
    EXPECT_THAT(OpenLevelDb(folder, ShardOptions()),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(folder), HasSubstr("RESHARD"))));
    EXPECT_THAT(DigestOfFolders({folder}),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("unfinished reshard")));
  }
}

TEST_F(ResumeTest, AnotherCommandIsRefusedAndChangesNothing) {
  Interrupt(grow_, "output synced");
  const std::string d = dir_.Join("d");
  const std::vector<ReshardOptions> others = {
      Command({a_, b_}, {}), Command({a_, b_}, {a_, b_, d}),
      Command({a_, b_}, {c_, a_, b_}), Command({a_}, {d}), Command({c_}, {})};
  for (const ReshardOptions& other : others) {
    EXPECT_THAT(Reshard(other),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("-o " + a_ + "," + b_ + "," + c_)));
  }
  EXPECT_FALSE(std::filesystem::exists(d));
  ASSERT_OK(Reshard(grow_));
  EXPECT_TRUE(ReadSet({a_, b_, c_}, JumpSharding()) == entries_);
}

TEST_F(ResumeTest, WhatWasCopiedIsNotCopiedAgain) {
  ASSERT_OK_AND_ASSIGN(const ReshardResult whole,
                       Reshard(Command({a_, b_}, {dir_.Join("whole")})));
  EXPECT_EQ(whole.moved, entries_.size());
  Interrupt(migrate_, "output synced");
  ASSERT_OK_AND_ASSIGN(const ReshardResult rest, Reshard(migrate_));
  EXPECT_EQ(rest.contents, DigestOf(entries_));
  EXPECT_EQ(rest.moved, 0);
  EXPECT_TRUE(ReadFolder(c_) == entries_);
}

// LevelDB itself lets a program delete in a folder with a marker.
TEST_F(ResumeTest, AnEntryLostMeanwhileIsFoundMissing) {
  Interrupt(grow_, "batch deleted");
  const Entries in_c = ReadFolder(c_);
  ASSERT_FALSE(in_c.empty());
  {
    // Its stray in the source may be gone already, or will be taken for it.
    const std::string key = in_c.begin()->first;
    for (const std::string& folder : {a_, b_, c_}) {
      ASSERT_OK(OpenPlain(folder)->Delete(leveldb::WriteOptions(), key));
    }
  }
  EXPECT_THAT(Reshard(grow_),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr("1000 entries"), HasSubstr("999"))));
}

TEST_F(ResumeTest, AnEntryChangedMeanwhileIsFoundOut) {
  Interrupt(grow_, "output synced");
  const std::string key = ReadFolder(c_).begin()->first;
  ASSERT_OK(OpenPlain(c_)->Put(leveldb::WriteOptions(), key, "changed"));
  EXPECT_THAT(Reshard(grow_), StatusIs(absl::StatusCode::kAborted,
                                       HasSubstr("has one value in")));
}

TEST_F(ResumeTest, AnOutputRemovedBeforeAnythingWasDeletedIsFilledAgain) {
  Interrupt(grow_, "output synced");
  std::filesystem::remove_all(c_);
  ASSERT_OK(Reshard(grow_));
  EXPECT_TRUE(ReadSet({a_, b_, c_}, JumpSharding()) == entries_);
}

TEST_F(ResumeTest, AnOutputRemovedAfterwardsIsALossThatIsFound) {
  Interrupt(Command({a_, b_}, {c_, a_, b_}), "folder compacted", 2);
  std::filesystem::remove_all(c_);
  EXPECT_THAT(
      Reshard(Command({a_, b_}, {c_, a_, b_})),
      StatusIs(absl::StatusCode::kAborted, HasSubstr("have changed since")));
}

// The input of a migration is in use again as soon as the run is interrupted.
TEST_F(ResumeTest, AnInputThatLostAKeyDoesNotGetItBack) {
  Interrupt(migrate_, "output synced");
  const Entries in_a = ReadFolder(a_);
  ASSERT_OK(
      OpenPlain(a_)->Delete(leveldb::WriteOptions(), in_a.begin()->first));
  EXPECT_THAT(Reshard(migrate_),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr(c_), HasSubstr("have changed since"),
                             HasSubstr("Empty the output folders"))));
  // As it says.
  std::filesystem::remove_all(c_);
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Reshard(migrate_));
  EXPECT_EQ(result.contents.entries(), entries_.size() - 1);
}

TEST_F(ResumeTest, AnInputWithANewValueIsAConflict) {
  Interrupt(migrate_, "output synced");
  const Entries in_a = ReadFolder(a_);
  ASSERT_OK(OpenPlain(a_)->Put(leveldb::WriteOptions(), in_a.begin()->first,
                               "new value"));
  EXPECT_THAT(Reshard(migrate_), StatusIs(absl::StatusCode::kAborted,
                                          HasSubstr("has one value in")));
}

TEST_F(ResumeTest, OnlyMarkersAreLeftWhenTheCoordinatorSaysFinished) {
  const std::string d = dir_.Join("d");
  const ReshardOptions command = Command({a_, b_}, {c_, d});
  ASSERT_OK(Reshard(command));
  Marker marker;
  marker.command = {{a_, b_}, {c_, d}, "jump"};
  for (std::string* path :
       {&marker.command.inputs[0], &marker.command.inputs[1],
        &marker.command.outputs[0], &marker.command.outputs[1]}) {
    *path = std::filesystem::canonical(*path).string();
  }
  marker.finished = true;
  marker.contents = DigestOf(entries_);
  ASSERT_OK(WriteMarker(leveldb::Env::Default(), c_, marker));
  ASSERT_OK_AND_ASSIGN(const ReshardResult result, Reshard(command));
  EXPECT_EQ(result.contents, DigestOf(entries_));
  EXPECT_EQ(result.moved, 0);
  EXPECT_FALSE(std::filesystem::exists(c_ + "/RESHARD"));
}

TEST_F(ResumeTest, ATornLogInAMarkedFolderIsNoObstacle) {
  Interrupt(grow_, "batch copied");
  for (const auto& file : std::filesystem::directory_iterator(c_)) {
    const uint64_t size = std::filesystem::file_size(file.path());
    if (file.path().extension() != ".log" || size == 0) continue;
    // What a file system leaves that had the size on disk, but not the bytes.
    std::fstream log(file.path(), std::ios::in | std::ios::out);
    log.seekp(static_cast<std::streamoff>(size / 2));
    log << std::string(size - size / 2, '\0');
  }
  ASSERT_OK(Reshard(grow_));
  EXPECT_TRUE(ReadSet({a_, b_, c_}, JumpSharding()) == entries_);
}

TEST_F(ResumeTest, ASecondRunAtTheSameTimeIsRefused) {
  absl::Status second;
  ReshardOptions first = migrate_;
  first.on_step = [&](absl::string_view step) {
    if (step == "folder marked") second = Reshard(migrate_).status();
  };
  ASSERT_OK(Reshard(first));
  EXPECT_THAT(second, StatusIs(absl::StatusCode::kFailedPrecondition,
                               AllOf(HasSubstr(c_), HasSubstr("locked"))));
}

}  // namespace
}  // namespace shardingdb
