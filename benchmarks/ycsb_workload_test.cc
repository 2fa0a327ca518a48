// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/ycsb_workload.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/faulty_db.h"
#include "benchmarks/records.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// 400 records.
WorkloadOptions Options(const std::string& work) {
  WorkloadOptions options;
  options.work = work;
  options.groups = 4;
  options.threads = 3;
  options.loops = 10;
  options.batch = 10;
  options.time_every = 1;
  return options;
}

uint64_t Count(leveldb::DB* db) {
  const std::unique_ptr<leveldb::Iterator> i(
      db->NewIterator(leveldb::ReadOptions()));
  uint64_t count = 0;
  for (i->SeekToFirst(); i->Valid(); i->Next()) ++count;
  return count;
}

TEST(YcsbWorkload, HasTheCoreWorkloads) {
  EXPECT_EQ(YcsbNames().size(), 7u);
  EXPECT_THAT(YcsbNames(), Each(StartsWith("ycsb-")));
}

TEST(YcsbWorkload, LeavesTheRecordsAndWhatItInserts) {
  for (const std::string& work : YcsbNames()) {
    ModelDb db;
    ASSERT_OK_AND_ASSIGN(const PhaseResult result,
                         RunYcsbWorkload(&db, Options(work)));
    const uint64_t operations = work == "ycsb-e" ? 40 : 400;
    EXPECT_EQ(result.operations, operations) << work;
    EXPECT_EQ(result.latencies.samples, operations) << work;
    const uint64_t count = Count(&db);
    if (work == "ycsb-d" || work == "ycsb-e") {
      EXPECT_GE(count, 400u) << work;
      EXPECT_LE(count, 400 + operations / 5) << work;
    } else {
      EXPECT_EQ(count, 400u) << work;
    }
    std::string value;
    for (uint64_t i = 0; i < 400; ++i) {
      EXPECT_OK(db.Get(leveldb::ReadOptions(),
                       RecordKey(KeyKind::kHashed, i).slice(), &value));
    }
  }
}

TEST(YcsbWorkload, InsertsOnTheWay) {
  ModelDb db;
  WorkloadOptions options = Options("ycsb-d");
  options.loops = 100;
  ASSERT_OK(RunYcsbWorkload(&db, options));
  EXPECT_GT(Count(&db), 4000 + 100u);  // 200 are expected
  EXPECT_LT(Count(&db), 4000 + 300u);
}

TEST(YcsbWorkload, FindsWrongAnswers) {
  // The record that is asked for most.
  const std::string key = RecordKey(KeyKind::kHashed, 0).slice().ToString();
  for (const char* work : {"ycsb-a", "ycsb-b", "ycsb-c", "ycsb-f"}) {
    for (const FaultyDb::Fault fault :
         {FaultyDb::Fault::kLosesIt, FaultyDb::Fault::kAltersIt}) {
      FaultyDb db(key, fault);
      EXPECT_THAT(RunYcsbWorkload(&db, Options(work)),
                  StatusIs(absl::StatusCode::kDataLoss,
                           AllOf(HasSubstr(work), HasSubstr(key))));
    }
  }
  FaultyDb db(key, FaultyDb::Fault::kFails);
  EXPECT_THAT(
      RunYcsbWorkload(&db, Options("ycsb-c")),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("the disk is gone")));
}

}  // namespace
}  // namespace shardingdb
