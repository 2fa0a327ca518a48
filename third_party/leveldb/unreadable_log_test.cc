// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A log that cannot be opened or read is no reason to go on without it (patch
// 0008).

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"
#include "third_party/leveldb/files.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// Whether an opening takes damage for the end of a log.
class UnreadableLogTest : public testing::TestWithParam<bool> {
 protected:
  static constexpr int kEntries = 60;

  UnreadableLogTest()
      : memory_(leveldb::NewMemEnv(leveldb::Env::Default())),
        env_(memory_.get()),
        db_(&env_) {
    db_.options()->paranoid_checks = GetParam();
    EXPECT_OK(db_.Open());
    // More than one block, less than a memtable.
    for (int i = 0; i < kEntries; ++i) {
      EXPECT_OK(db_.Put(absl::StrCat("key", i), std::string(700, 'v')));
    }
    db_.Close();
  }

  // The operation after `skip` others on a log fails while the database is
  // opened; then everything is still there.
  void FailWhileOpening(FileOperation operation, uint64_t skip,
                        const std::string& error) {
    FileFault fault;
    fault.operations = {operation};
    fault.pattern = "*.log";
    fault.skip = skip;
    fault.count = 1;
    fault.status = leveldb::Status::IOError(error);
    const int number = env_.AddFault(fault);
    const Files before = ReadFiles(memory_.get());
    EXPECT_THAT(db_.Open(),
                LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr(error)));
    EXPECT_EQ(env_.Failures(number), 1);
    const Files after = ReadFiles(memory_.get());
    for (const std::string& name : NamesWith(".log", before)) {
      EXPECT_EQ(after.count(name), 1) << name;
    }
    EXPECT_EQ(env_.Operations(FileOperation::kRemove, "*.log"), 0);

    ASSERT_OK(db_.Open());
    for (int i = 0; i < kEntries; ++i) {
      EXPECT_EQ(db_.Get(absl::StrCat("key", i)), std::string(700, 'v')) << i;
    }
  }

  const std::unique_ptr<leveldb::Env> memory_;
  FaultInjectionEnv env_;
  Database db_;
};

TEST_P(UnreadableLogTest, OpeningItFails) {
  FailWhileOpening(FileOperation::kOpen, 0, "Too many open files");
}

TEST_P(UnreadableLogTest, ReadingItFails) {
  FailWhileOpening(FileOperation::kRead, 0, "Input/output error");
}

TEST_P(UnreadableLogTest, ReadingItsSecondBlockFails) {
  FailWhileOpening(FileOperation::kRead, 1, "Input/output error");
}

INSTANTIATE_TEST_SUITE_P(ParanoidChecks, UnreadableLogTest, testing::Bool());

}  // namespace
}  // namespace shardingdb
