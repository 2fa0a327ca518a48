// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What goes on after a memtable could not be written out in the middle of a
// compaction (patches 0004 and 0006).

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"

namespace shardingdb {
namespace {

// A database in which, while CompactRange runs, a memtable is full and is
// written out on the way, and noting its file in the descriptor fails once.
void FailToFlushWhileCompacting(leveldb::Env* memory) {
  FaultInjectionEnv env(memory);
  std::atomic<bool> hold(false);
  absl::Notification held, go_on;
  env.SetObserver([&](FileOperation operation, const std::string& path) {
    if (operation == FileOperation::kCreate && absl::EndsWith(path, ".ldb") &&
        hold.exchange(false)) {
      held.Notify();
      go_on.WaitForNotification();
    }
  });
  Database db(&env);
  ASSERT_OK(db.Open());
  // Two files that overlap, so that compacting them is more than a renaming.
  for (const char* value : {"1", "2"}) {
    for (int i = 0; i < 100; ++i) {
      ASSERT_OK(db.Put(absl::StrCat("key", i), value));
    }
    const leveldb::Slice begin("~1"), end("~2");
    db->CompactRange(&begin, &end);  // only writes the memtable out
  }

  hold = true;
  std::thread compaction([&db] { db->CompactRange(nullptr, nullptr); });
  held.WaitForNotification();
  const leveldb::Status filled = db.FillMemTable();
  FileFault fault;
  fault.operations = {FileOperation::kAppend};
  fault.pattern = "*MANIFEST*";
  fault.skip = 1;  // The record's head is written, its body is torn.
  fault.count = 1;
  fault.torn_bytes = 5;
  const int number = env.AddFault(fault);
  go_on.Notify();
  compaction.join();
  db.Close();  // waits for the background thread
  ASSERT_OK(filled);
  ASSERT_EQ(env.Failures(number), 1);
}

// Neither another try nor the compaction's own result may be noted behind the
// torn record: it would make the descriptor unreadable, and the old log is gone
// once the memtable counts as written out.
TEST(FailedFlushTest, NothingIsWrittenBehindATornRecord) {
  const std::unique_ptr<leveldb::Env> memory(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  ASSERT_NO_FATAL_FAILURE(FailToFlushWhileCompacting(memory.get()));

  Database db(memory.get());
  ASSERT_OK(db.Open());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(db.Get(absl::StrCat("key", i)), "2");
  }
  EXPECT_EQ(db.Get("filler"), std::string(1000, 'f'));
}

// Whoever waits for the compaction learns of the error at once, but the
// compaction goes on. Which of the two is first is up to the threads, so this
// is tried often; what breaks is the process.
TEST(FailedFlushTest, CompactRangeOutlivesItsCompaction) {
  for (int round = 0; round < 100; ++round) {
    const std::unique_ptr<leveldb::Env> memory(
        leveldb::NewMemEnv(leveldb::Env::Default()));
    ASSERT_NO_FATAL_FAILURE(FailToFlushWhileCompacting(memory.get()));
  }
}

}  // namespace
}  // namespace shardingdb
