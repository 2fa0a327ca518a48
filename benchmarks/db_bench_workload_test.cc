// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/db_bench_workload.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/faulty_db.h"
#include "benchmarks/records.h"
#include "benchmarks/zipfian.h"
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

// The key that the first thread draws first.
std::string FirstKey(const WorkloadOptions& options) {
  const uint64_t number = RandomNumbers(0).Below(options.entries());
  return RecordKey(KeyKind::kNumber, number).slice().ToString();
}

uint64_t Count(leveldb::DB* db) {
  const std::unique_ptr<leveldb::Iterator> i(
      db->NewIterator(leveldb::ReadOptions()));
  uint64_t count = 0;
  for (i->SeekToFirst(); i->Valid(); i->Next()) ++count;
  return count;
}

TEST(DbBenchWorkload, DoesWhatItsNameSays) {
  for (const std::string& work : DbBenchNames()) {
    ModelDb db;
    ASSERT_OK_AND_ASSIGN(const PhaseResult result,
                         RunDbBenchWorkload(&db, Options(work)));
    const uint64_t operations = work == "fillsync" ? 3 : 400;  // one a thread
    EXPECT_EQ(result.operations, operations) << work;
    EXPECT_EQ(result.latencies.samples, operations) << work;
    const uint64_t count = Count(&db);
    if (work == "fillrandom" || work == "deleterandom") {
      // Of 400 keys drawn 400 times 1 / e are never drawn.
      EXPECT_NEAR(static_cast<double>(count), work == "fillrandom" ? 253 : 147,
                  40)
          << work;
    } else {
      EXPECT_EQ(count, operations == 3 ? 3u : 400u) << work;
    }
  }
}

TEST(DbBenchWorkload, FindsWrongAnswers) {
  const std::string key = FirstKey(Options(""));
  const struct {
    const char* work;
    std::string key;
    FaultyDb::Fault fault;
  } cases[] = {
      {"readrandom", key, FaultyDb::Fault::kLosesIt},
      {"readrandom", key, FaultyDb::Fault::kAltersIt},
      {"readwhilewriting", key, FaultyDb::Fault::kLosesIt},
      {"readmissing", key + "-", FaultyDb::Fault::kFindsIt},
  };
  for (const auto& test : cases) {
    FaultyDb db(test.key, test.fault);
    EXPECT_THAT(RunDbBenchWorkload(&db, Options(test.work)),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr(test.work), HasSubstr(key))))
        << test.work;
  }
}

// A database that takes no writes of one key.
class ForgetfulDb : public FaultyDb {
 public:
  explicit ForgetfulDb(const std::string& key)
      : FaultyDb("", FaultyDb::Fault::kKeepsIt), key_(key) {}

  leveldb::Status Write(const leveldb::WriteOptions& options,
                        leveldb::WriteBatch* updates) override {
    const leveldb::Status status = FaultyDb::Write(options, updates);
    return status.ok() ? Delete(options, key_) : status;
  }

 private:
  const std::string key_;
};

TEST(DbBenchWorkload, ScansFindWhatIsMissing) {
  const std::string key = FirstKey(Options(""));
  for (const char* work : {"readseq", "readreverse", "seekrandom"}) {
    ForgetfulDb db(key);
    EXPECT_THAT(RunDbBenchWorkload(&db, Options(work)),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr(work), HasSubstr(key))))
        << work;
  }
}

TEST(DbBenchWorkload, ReturnsTheDatabasesOwnError) {
  FaultyDb db(FirstKey(Options("")), FaultyDb::Fault::kFails);
  for (const char* work : {"readrandom", "readwhilewriting"}) {
    EXPECT_THAT(RunDbBenchWorkload(&db, Options(work)),
                StatusIs(absl::StatusCode::kUnavailable,
                         HasSubstr("the disk is gone")));
  }
}

}  // namespace
}  // namespace shardingdb
