// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// No write is acknowledged behind one that the log may not hold (patches 0002
// and 0003).

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

class LogFaultsTest : public testing::Test {
 protected:
  LogFaultsTest()
      : memory_(leveldb::NewMemEnv(leveldb::Env::Default())),
        env_(memory_.get()),
        db_(&env_) {
    EXPECT_OK(db_.Open());
    EXPECT_OK(db_.Put("before", "1"));
  }

  // The next operation of this kind on a log fails, those after it pass.
  void FailOnce(FileOperation operation, uint64_t torn_bytes = 0) {
    FileFault fault;
    fault.operations = {operation};
    fault.pattern = "*.log";
    fault.count = 1;
    fault.torn_bytes = torn_bytes;
    env_.AddFault(fault);
  }

  static auto IsInjectedFault() {
    return LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("injected fault"));
  }

  const std::unique_ptr<leveldb::Env> memory_;
  FaultInjectionEnv env_;
  Database db_;
};

TEST_F(LogFaultsTest, ClosingTheOldLogFails) {
  FailOnce(FileOperation::kClose);
  EXPECT_THAT(db_.FillMemTable(), IsInjectedFault());
  EXPECT_THAT(db_.Put("after", "2"), IsInjectedFault());
  EXPECT_EQ(db_.Get("before"), "1");
  ASSERT_OK(db_.Open());
  EXPECT_EQ(db_.Get("before"), "1");
  EXPECT_OK(db_.Put("after", "2"));
}

TEST_F(LogFaultsTest, RecordIsTorn) {
  FailOnce(FileOperation::kAppend, /*torn_bytes=*/5);
  EXPECT_THAT(db_.Put("torn", "2"), IsInjectedFault());
  EXPECT_THAT(db_.Put("after", "3"), IsInjectedFault());
  EXPECT_EQ(db_.Get("before"), "1");
  ASSERT_OK(db_.Open());
  EXPECT_EQ(db_.Get("before"), "1");
  EXPECT_OK(db_.Put("after", "3"));
  ASSERT_OK(db_.Open());
  EXPECT_EQ(db_.Get("after"), "3");
}

// A block's last bytes, too few for a record, are filled with zeros before the
// next record.
TEST_F(LogFaultsTest, FillingABlockFails) {
  ASSERT_OK(db_.Open());  // with an empty log
  // Three bytes less than a block of 32768: 7 for the record's header, 12 for
  // the batch's, 6 for the kind, the two lengths and the key.
  ASSERT_OK(db_.Put("k", std::string(32768 - 3 - 7 - 12 - 6, 'v')));
  FailOnce(FileOperation::kAppend);
  EXPECT_THAT(db_.Put("next", "2"), IsInjectedFault());
  EXPECT_THAT(db_.Put("after", "3"), IsInjectedFault());
  ASSERT_OK(db_.Open());
  EXPECT_EQ(db_.Get("k").size(), 32768 - 3 - 7 - 12 - 6);
  EXPECT_OK(db_.Put("after", "3"));
}

}  // namespace
}  // namespace shardingdb
