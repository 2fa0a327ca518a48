// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

// What may go wrong while new outputs are made and marked, and what the same
// command makes of it.
class MarkTest : public ::testing::Test {
 protected:
  MarkTest() { WriteSet({a_, b_}, JumpSharding(), entries_); }

  absl::Status Run() {
    ReshardOptions options;
    options.inputs = {a_, b_};
    options.outputs = all_;
    options.batch_bytes = 4096;
    options.env = &env_;
    return Reshard(options).status();
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
  FileFault fault;
  fault.operations = {FileOperation::kRename};
  fault.pattern = d_ + "/RESHARD.tmp";
  env_.AddFault(fault);
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_TRUE(std::filesystem::exists(d_ + "/RESHARD.tmp"));
  ExpectThatItFinishes();
}

}  // namespace
}  // namespace shardingdb
