// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/paper_workload.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "benchmarks/faulty_db.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Four entries a batch.
WorkloadOptions Small() {
  WorkloadOptions options;
  options.groups = 3;
  options.threads = 2;
  options.loops = 2;
  options.batch = 4;
  options.value_bytes = 20;
  return options;
}

std::string Contents(leveldb::DB* db) {
  std::string contents;
  const std::unique_ptr<leveldb::Iterator> i(
      db->NewIterator(leveldb::ReadOptions()));
  for (i->SeekToFirst(); i->Valid(); i->Next())
    contents += i->key().ToString() + "=" + i->value().ToString().c_str() + " ";
  return contents;
}

TEST(PaperWorkload, LeavesEverySecondEntry) {
  ModelDb db;
  WorkloadOptions options = Small();
  options.groups = 2;
  ASSERT_OK_AND_ASSIGN(const WorkloadResult result,
                       RunPaperWorkload(&db, options));
  EXPECT_EQ(Contents(&db),
            "key-00-000-000=value-0 key-00-000-002=value-0 "
            "key-00-001-000=value-0 key-00-001-002=value-2 "
            "key-01-000-000=value-0 key-01-000-002=value-0 "
            "key-01-001-000=value-0 key-01-001-002=value-2 ");
  EXPECT_EQ(result[static_cast<size_t>(PaperPhase::kPut)].operations, 16u);
  EXPECT_EQ(result[static_cast<size_t>(PaperPhase::kGet)].operations, 16u);
  EXPECT_EQ(result[static_cast<size_t>(PaperPhase::kNotFound)].operations, 16u);
  EXPECT_EQ(result[static_cast<size_t>(PaperPhase::kDelete)].operations, 8u);
  EXPECT_EQ(result[static_cast<size_t>(PaperPhase::kScan)].operations, 4u);
  for (const PhaseResult& phase : result) EXPECT_GT(phase.seconds, 0);
}

TEST(PaperWorkload, ValuesHaveTheirSize) {
  ModelDb db;
  ASSERT_OK(RunPaperWorkload(&db, Small()));
  std::string value;
  ASSERT_OK(db.Get(leveldb::ReadOptions(), "key-02-001-002", &value));
  EXPECT_EQ(value, std::string("value-2") + std::string(13, '\0'));
}

TEST(PaperWorkload, RandomValuesFollowFromTheEntry) {
  ModelDb db;
  WorkloadOptions options = Small();
  options.values = ValueKind::kRandom;
  ASSERT_OK(RunPaperWorkload(&db, options));
  std::string value, other;
  ASSERT_OK(db.Get(leveldb::ReadOptions(), "key-02-001-002", &value));
  ASSERT_OK(db.Get(leveldb::ReadOptions(), "key-01-001-002", &other));
  EXPECT_EQ(value.size(), 20u);
  EXPECT_EQ(other.size(), 20u);
  EXPECT_NE(value, other);
}

TEST(PaperWorkload, TimesAllThatIsLongAndSomeOfTheRest) {
  for (const auto& [every, samples] :
       {std::pair{1, 24u}, std::pair{3, 8u}, std::pair{0, 0u}}) {
    ModelDb db;
    WorkloadOptions options = Small();
    options.threads = 1;
    options.time_every = every;
    ASSERT_OK_AND_ASSIGN(const WorkloadResult result,
                         RunPaperWorkload(&db, options));
    const auto of = [&](PaperPhase phase) {
      return result[static_cast<size_t>(phase)].latencies;
    };
    EXPECT_EQ(of(PaperPhase::kPut).samples, every == 0 ? 0u : 6u);
    EXPECT_EQ(of(PaperPhase::kGet).samples, samples);
    EXPECT_EQ(of(PaperPhase::kNotFound).samples, samples);
    EXPECT_EQ(of(PaperPhase::kDelete).samples, samples / 2);
    EXPECT_EQ(of(PaperPhase::kScan).samples, every == 0 ? 0u : 6u);
  }
}

TEST(PaperWorkload, DoesTheSameWithAnyNumberOfThreads) {
  std::string contents;
  for (int threads : {1, 2, 3}) {
    ModelDb db;
    WorkloadOptions options = Small();
    options.threads = threads;
    ASSERT_OK(RunPaperWorkload(&db, options));
    if (threads == 1) contents = Contents(&db);
    EXPECT_EQ(Contents(&db), contents);
  }
}

TEST(PaperWorkload, FindsWrongAnswers) {
  const struct {
    const char* key;
    FaultyDb::Fault fault;
    absl::StatusCode code;
    const char* message;
  } cases[] = {
      {"key-01-001-002", FaultyDb::Fault::kLosesIt, absl::StatusCode::kDataLoss,
       "get: "},
      {"key-01-001-002", FaultyDb::Fault::kAltersIt,
       absl::StatusCode::kDataLoss, "get: "},
      {"key-01-001-x", FaultyDb::Fault::kFindsIt, absl::StatusCode::kDataLoss,
       "not found: "},
      {"key-01-001-003", FaultyDb::Fault::kKeepsIt, absl::StatusCode::kDataLoss,
       "scan: "},
  };
  for (const auto& test : cases) {
    FaultyDb db(test.key, test.fault);
    EXPECT_THAT(RunPaperWorkload(&db, Small()),
                StatusIs(test.code,
                         AllOf(HasSubstr(test.key), HasSubstr(test.message))));
  }
}

TEST(PaperWorkload, ReturnsTheDatabasesOwnError) {
  FaultyDb db("key-00-001-x", FaultyDb::Fault::kFails);
  EXPECT_THAT(
      RunPaperWorkload(&db, Small()),
      StatusIs(absl::StatusCode::kUnavailable,
               AllOf(HasSubstr("not found: "), HasSubstr("the disk is gone"))));
}

}  // namespace
}  // namespace shardingdb
