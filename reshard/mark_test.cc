// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/comparators.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Fails the test at the step.
std::function<void(absl::string_view)> FailAt(absl::string_view unwanted) {
  return [unwanted](absl::string_view step) { EXPECT_NE(step, unwanted); };
}

// What may go wrong while new outputs are made and marked, and what the same
// command makes of it.
class MarkTest : public ::testing::Test {
 protected:
  MarkTest() { WriteSet({a_, b_}, JumpSharding(), entries_); }

  // In place, or a migration to the last two of all_.
  absl::Status Run(bool in_place = true,
                   std::function<void(absl::string_view step)> on_step = {}) {
    ReshardOptions options;
    options.inputs = {a_, b_};
    options.outputs = all_;
    if (!in_place) options.outputs = {c_, d_};
    options.on_step = std::move(on_step);
    options.batch_bytes = 4096;
    options.env = &env_;
    return Reshard(options).status();
  }
  // A database that any run takes for a new output, and that is open.
  std::unique_ptr<leveldb::DB> OpenPlain(const std::string& folder,
                                         leveldb::Options options = {}) {
    options.create_if_missing = true;
    leveldb::DB* db = nullptr;
    EXPECT_OK(leveldb::DB::Open(options, folder, &db));
    return std::unique_ptr<leveldb::DB>(db);
  }

  // The set can be used as if there had been no run.
  void ExpectNoMarkers() {
    for (const std::string& folder : all_) {
      EXPECT_FALSE(std::filesystem::exists(folder + "/RESHARD")) << folder;
    }
    for (const std::string& folder : {a_, b_}) {
      EXPECT_OK(OpenLevelDb(folder, ShardOptions()).status());
    }
  }

  void ExpectThatItFinishes() {
    env_.RemoveAllFaults();
    ASSERT_OK(Run());
    EXPECT_TRUE(ReadSet(all_, JumpSharding()) == entries_);
  }

  FaultInjectionEnv env_{leveldb::Env::Default()};
  TempDir dir_;
  const std::string a_ = dir_.Join("a");
  const std::string b_ = dir_.Join("b");
  const std::string c_ = dir_.Join("c");
  const std::string d_ = dir_.Join("d");
  const std::vector<std::string> all_ = {a_, b_, c_, d_};
  const Entries entries_ = GenerateEntries(8, 1000);
};

TEST_F(MarkTest, AFolderThatCouldNotBeMarkedIsMarkedFirst) {
  for (const std::string& folder : all_) {
    for (FileOperation operation :
         {FileOperation::kCreate, FileOperation::kAppend, FileOperation::kSync,
          FileOperation::kRename}) {
      SCOPED_TRACE(folder);
      FileFault fault;
      fault.operations = {operation};
      fault.pattern = folder + "/RESHARD.tmp";
      env_.AddFault(fault);
      // Twice: the second one resumes.
      for (int i = 0; i < 2; ++i) {
        EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kUnavailable,
                                    ::testing::HasSubstr(folder)));
        EXPECT_TRUE(std::filesystem::exists(d_ + "/RESHARD") ||
                    !std::filesystem::exists(d_ + "/CURRENT"));
      }
      ExpectThatItFinishes();
      ReshardOptions back;
      back.inputs = all_;
      back.outputs = {a_, b_};
      ASSERT_OK(Reshard(back));
      std::filesystem::remove_all(c_);
      std::filesystem::remove_all(d_);
    }
  }
}

TEST_F(MarkTest, AFullDiskOfANewOutput) {
  FileFault full;
  full.operations = {FileOperation::kAppend};
  full.pattern = d_ + "/*";
  full.status = leveldb::Status::IOError(d_, "No space left on device");
  full.torn_bytes = 10;
  env_.AddFault(full);
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kResourceExhausted));
  ExpectThatItFinishes();
}

TEST_F(MarkTest, ANewOutputThatWasLostOrEmptiedIsStartedAfresh) {
  for (bool lost : {true, false}) {
    SCOPED_TRACE(lost);
    FileFault fault;
    fault.operations = {FileOperation::kAppend};
    fault.pattern = c_ + "/*.log";
    fault.skip = 1;
    env_.AddFault(fault);
    EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kUnavailable));
    std::filesystem::remove_all(d_);
    if (!lost) std::filesystem::create_directory(d_);
    ExpectThatItFinishes();
    ReshardOptions back;
    back.inputs = all_;
    back.outputs = {a_, b_};
    ASSERT_OK(Reshard(back));
    std::filesystem::remove_all(c_);
    std::filesystem::remove_all(d_);
  }
}

// As a run left it that made databases before it marked their folders.
TEST_F(MarkTest, ADatabaseWithoutEntriesAndAHalfMarkerAreNoData) {
  WriteSet({d_}, JumpSharding(), {});
  std::ofstream(d_ + "/RESHARD.tmp") << "shardingdb-resh";
  ExpectThatItFinishes();
}

TEST_F(MarkTest, AnOutputWithAnotherComparatorIsRefusedBeforeAnythingIsMarked) {
  leveldb::Options options;
  options.comparator = ReverseBytewiseComparator();
  OpenPlain(d_, options).reset();
  for (bool in_place : {true, false}) {
    EXPECT_THAT(Run(in_place, FailAt("folder marked")),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(d_), HasSubstr("comparator"))));
    ExpectNoMarkers();
  }
}

TEST_F(MarkTest, AnOutputThatIsOpenIsRefusedBeforeAnythingIsMarked) {
  const std::unique_ptr<leveldb::DB> db = OpenPlain(d_);
  for (bool in_place : {true, false}) {
    EXPECT_THAT(Run(in_place, FailAt("folder marked")),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(d_), HasSubstr("lock"))));
    ExpectNoMarkers();
  }
}

TEST_F(MarkTest, AnOutputThatGotEntriesMeanwhileIsRefused) {
  for (bool in_place : {true, false}) {
    std::filesystem::remove_all(d_);
    OpenPlain(d_).reset();
    const auto write = [&](absl::string_view step) {
      if (step != "inputs opened") return;
      EXPECT_OK(OpenPlain(d_)->Put(leveldb::WriteOptions(), "key", "value"));
    };
    EXPECT_THAT(Run(in_place, write),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr(d_ + ": holds other data")));
    ExpectNoMarkers();
  }
}

TEST_F(MarkTest, MarkersAreTakenAwayWhenAnOutputIsRefusedAfterwards) {
  for (bool in_place : {true, false}) {
    for (bool stays_open : {true, false}) {
      std::filesystem::remove_all(d_);
      std::unique_ptr<leveldb::DB> db;
      const auto write = [&](absl::string_view step) {
        if (step != "folder marked" || db != nullptr) return;
        db = OpenPlain(d_);
        EXPECT_OK(db->Put(leveldb::WriteOptions(), "key", "value"));
      };
      const auto write_and_close = [&](absl::string_view step) {
        if (step != "folder marked" || std::filesystem::exists(d_ + "/LOCK")) {
          return;
        }
        EXPECT_OK(OpenPlain(d_)->Put(leveldb::WriteOptions(), "key", "value"));
      };
      std::function<void(absl::string_view)> on_step = write;
      if (!stays_open) on_step = write_and_close;
      EXPECT_THAT(Run(in_place, on_step),
                  StatusIs(absl::StatusCode::kFailedPrecondition,
                           AllOf(HasSubstr(d_), HasSubstr("was copied"))));
      std::filesystem::remove_all(d_);
      ExpectNoMarkers();
    }
  }
  ExpectThatItFinishes();
}

TEST_F(MarkTest, MarkersAreTakenAwayWhenTheDiskIsFull) {
  FileFault full;
  full.operations = {FileOperation::kAppend};
  full.pattern = d_ + "/MANIFEST*";
  full.status = leveldb::Status::IOError(d_, "No space left on device");
  env_.AddFault(full);
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kResourceExhausted));
  std::filesystem::remove_all(d_);
  ExpectNoMarkers();
  // Meanwhile the set is in use.
  EXPECT_OK(OpenPlain(a_)->Put(leveldb::WriteOptions(), "new", "value"));
  env_.RemoveAllFaults();
  ASSERT_OK(Run());
  EXPECT_EQ(ReadSet(all_, JumpSharding()).size(), entries_.size() + 1);
}

TEST_F(MarkTest, AFolderThatIsReplacedMeanwhileIsNotFinished) {
  for (const bool in_place : {false, true}) {
    const std::string replaced = in_place ? a_ : c_;
    const std::string original = dir_.Join("original");
    const auto replace = [&](absl::string_view step) {
      if (step != "verified" || std::filesystem::exists(original)) return;
      std::filesystem::rename(replaced, original);
      std::filesystem::copy(original, replaced);
    };
    EXPECT_THAT(Run(in_place, replace),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr(replaced + ": is gone, or another folder")));
    std::filesystem::remove_all(replaced);
    std::filesystem::rename(original, replaced);
    ASSERT_OK(Run(in_place));
    if (in_place) break;
    EXPECT_TRUE(ReadSet({c_, d_}, JumpSharding()) == entries_);
    for (const std::string& folder : {c_, d_}) {
      std::filesystem::remove_all(folder);
    }
  }
  EXPECT_TRUE(ReadSet(all_, JumpSharding()) == entries_);
}

TEST_F(MarkTest, AFolderInPlaceOfATemporaryFileLeavesTheSetAsItWas) {
  std::filesystem::create_directory(a_ + "/RESHARD.tmp");
  EXPECT_THAT(Run(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr(a_ + "/RESHARD.tmp: is not a regular file")));
  ExpectNoMarkers();
  std::filesystem::remove(a_ + "/RESHARD.tmp");
  ExpectThatItFinishes();
}

}  // namespace
}  // namespace shardingdb
