// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Whatever operation on whatever file fails, LevelDB loses no write that it
// acknowledged and makes up none.

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/write_batch.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

// What a key may hold; no value means that it may be absent.
using Outcomes = std::set<std::optional<std::string>>;

class Workload {
 public:
  explicit Workload(leveldb::Env* env) {
    options_.create_if_missing = true;
    options_.env = env;
    options_.write_buffer_size = 64 << 10;
    options_.max_file_size = 1 << 20;
    options_.compression = leveldb::kNoCompression;
  }

  leveldb::Status Open() {
    leveldb::DB* db = nullptr;
    const leveldb::Status status = leveldb::DB::Open(options_, "/db", &db);
    db_.reset(db);
    return status;
  }

  void Close() { db_.reset(); }

  // Updates two random keys at a time, and remembers what each may hold then.
  void Write(int count) {
    for (int i = 0; i < count; ++i) {
      leveldb::WriteBatch batch;
      std::map<std::string, std::optional<std::string>> updates;
      for (int j = 0; j < 2; ++j) {
        const std::string key = absl::StrCat("key", random_() % 200);
        if (random_() % 4 == 0) {
          batch.Delete(key);
          updates[key] = std::nullopt;
        } else {
          const std::string value =
              absl::StrCat(++version_, std::string(random_() % 1000, 'v'));
          batch.Put(key, value);
          updates[key] = value;
        }
      }
      leveldb::WriteOptions write;
      write.sync = random_() % 16 == 0;
      const bool acknowledged = db_->Write(write, &batch).ok();
      for (const auto& [key, value] : updates) {
        Outcomes& outcomes = outcomes_[key];
        if (outcomes.empty()) outcomes.insert(std::nullopt);
        if (acknowledged) outcomes.clear();
        outcomes.insert(value);
      }
    }
  }

  // Expects of every key what it may hold, or, while something fails, an error.
  void Check(bool errors_allowed) {
    for (const auto& [key, outcomes] : outcomes_) {
      std::string value;
      const leveldb::Status status =
          db_->Get(leveldb::ReadOptions(), key, &value);
      if (!status.ok() && !status.IsNotFound()) {
        ASSERT_TRUE(errors_allowed) << key << ": " << status.ToString();
        continue;
      }
      std::optional<std::string> found;
      if (status.ok()) found = value;
      ASSERT_TRUE(outcomes.count(found)) << key << " is wrong";
    }
  }

 private:
  leveldb::Options options_;
  std::unique_ptr<leveldb::DB> db_;
  std::map<std::string, Outcomes> outcomes_;
  std::mt19937 random_{1};
  int version_ = 0;
};

struct Case {
  const char* name;
  FileOperation operation;
  const char* pattern;
  uint64_t torn_bytes;  // of a failing append
  uint64_t step;        // only every so many operations, where there are many
};

void PrintTo(const Case& test_case, std::ostream* out) {
  *out << test_case.name;
}

class EachOperationFailsTest
    : public testing::TestWithParam<std::tuple<Case, uint64_t>> {};

// The first, second, third ... of the operations fails, alone or with all that
// follow, until there are no more.
TEST_P(EachOperationFailsTest, NothingAcknowledgedIsLost) {
  const auto& [test_case, count] = GetParam();
  bool failed = true;
  for (uint64_t skip = 0; failed; skip += test_case.step) {
    SCOPED_TRACE(absl::StrCat("after ", skip));
    std::unique_ptr<leveldb::Env> memory(
        leveldb::NewMemEnv(leveldb::Env::Default()));
    FaultInjectionEnv env(memory.get());
    Workload workload(&env);
    ASSERT_OK(workload.Open());
    workload.Write(200);
    FileFault fault;
    fault.operations = {test_case.operation};
    fault.pattern = test_case.pattern;
    fault.skip = skip;
    fault.count = count;
    fault.torn_bytes = test_case.torn_bytes;
    const int number = env.AddFault(fault);
    for (int i = 0; i < 1000 && env.Failures(number) == 0; ++i) {
      workload.Write(1);
    }
    workload.Write(10);
    workload.Check(/*errors_allowed=*/true);
    ASSERT_FALSE(HasFatalFailure());
    workload.Close();
    failed = env.Failures(number) > 0;
    env.RemoveAllFaults();

    ASSERT_OK(workload.Open());
    workload.Check(/*errors_allowed=*/false);
    workload.Write(100);
    workload.Check(/*errors_allowed=*/false);
    workload.Close();
    ASSERT_OK(workload.Open());
    workload.Check(/*errors_allowed=*/false);
    ASSERT_FALSE(HasFatalFailure());
  }
}

INSTANTIATE_TEST_SUITE_P(
    , EachOperationFailsTest,
    testing::Combine(
        testing::Values(
            Case{"LogCreate", FileOperation::kCreate, "*.log", 0, 1},
            Case{"LogAppend", FileOperation::kAppend, "*.log", 0, 97},
            Case{"LogAppendTorn", FileOperation::kAppend, "*.log", 5, 97},
            Case{"LogFlush", FileOperation::kFlush, "*.log", 0, 97},
            Case{"LogSync", FileOperation::kSync, "*.log", 0, 7},
            Case{"LogClose", FileOperation::kClose, "*.log", 0, 1},
            Case{"LogRemove", FileOperation::kRemove, "*.log", 0, 1},
            Case{"TableCreate", FileOperation::kCreate, "*.ldb", 0, 1},
            Case{"TableAppend", FileOperation::kAppend, "*.ldb", 7, 17},
            Case{"TableFlush", FileOperation::kFlush, "*.ldb", 0, 17},
            Case{"TableSync", FileOperation::kSync, "*.ldb", 0, 1},
            Case{"TableClose", FileOperation::kClose, "*.ldb", 0, 1},
            Case{"TableOpen", FileOperation::kOpen, "*.ldb", 0, 1},
            Case{"TableRead", FileOperation::kRead, "*.ldb", 0, 31},
            Case{"TableRemove", FileOperation::kRemove, "*.ldb", 0, 1},
            Case{"ManifestAppend", FileOperation::kAppend, "*MANIFEST*", 5, 1},
            Case{"ManifestFlush", FileOperation::kFlush, "*MANIFEST*", 0, 1},
            Case{"ManifestSync", FileOperation::kSync, "*MANIFEST*", 0, 1}),
        testing::Values(uint64_t{1}, std::numeric_limits<uint64_t>::max())),
    [](const auto& info) {
      return absl::StrCat(std::get<0>(info.param).name,
                          std::get<1>(info.param) == 1 ? "Once" : "FromThenOn");
    });

}  // namespace
}  // namespace shardingdb
