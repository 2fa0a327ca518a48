// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What was written before a synced write is as durable as that (patch 0005),
// and what a file that is removed held (patch 0013).

#include <memory>
#include <string>
#include <thread>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "testing/fault_injection_env.h"
#include "testing/power_loss_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "third_party/leveldb/database.h"

namespace shardingdb {
namespace {

// The earlier write is in the log before, whose memtable is not written out
// yet.
TEST(SyncOrderTest, ASyncedWriteKeepsTheLogBefore) {
  TempDir dir;
  PowerLossEnv power(leveldb::Env::Default(), dir.Join("trash"));
  FaultInjectionEnv env(&power);
  absl::Notification power_is_off;
  env.SetObserver([&](FileOperation operation, const std::string& path) {
    if (operation == FileOperation::kCreate &&
        path.find(".ldb") != std::string::npos &&
        !power_is_off.HasBeenNotified()) {
      power_is_off.WaitForNotification();  // Do not write the memtable out.
    }
  });
  Database db(&env, dir.Join("db"));
  ASSERT_OK(db.Open());
  ASSERT_OK(db.Put("first", "1"));
  const uint64_t logs = env.Operations(FileOperation::kCreate, "*.log");
  ASSERT_OK(db.FillMemTable());
  ASSERT_EQ(env.Operations(FileOperation::kCreate, "*.log"), logs + 1);
  ASSERT_OK(db.Put("second", "2", /*sync=*/true));
  power.CutPower();
  power_is_off.Notify();
  db.Close();

  ASSERT_OK(power.RestorePower({PowerLoss::Unsynced::kLost}));
  ASSERT_OK(db.Open());
  EXPECT_EQ(db.Get("second"), "2");
  EXPECT_EQ(db.Get("first"), "1");
}

// The earlier write is in a log that was not synced before it was reused.
TEST(SyncOrderTest, ASyncedWriteKeepsTheReusedLogBefore) {
  TempDir dir;
  PowerLossEnv power(leveldb::Env::Default(), dir.Join("trash"));
  FaultInjectionEnv env(&power);
  Database db(&env, dir.Join("db"));
  db.options()->reuse_logs = true;
  ASSERT_OK(db.Open());
  ASSERT_OK(db.Put("first", "1"));
  db.Close();

  absl::Notification writing_out, power_is_off;
  env.SetObserver([&](FileOperation operation, const std::string& path) {
    if (operation == FileOperation::kCreate &&
        path.find(".ldb") != std::string::npos &&
        !writing_out.HasBeenNotified()) {
      writing_out.Notify();
      power_is_off.WaitForNotification();
    }
  });
  ASSERT_OK(db.Open());
  std::thread compaction([&] { db->CompactRange(nullptr, nullptr); });
  writing_out.WaitForNotification();
  ASSERT_OK(db.Put("second", "2", /*sync=*/true));  // in the next log
  power.CutPower();
  power_is_off.Notify();
  compaction.join();
  db.Close();

  ASSERT_OK(power.RestorePower({PowerLoss::Unsynced::kLost}));
  ASSERT_OK(db.Open());
  EXPECT_EQ(db.Get("second"), "2");
  EXPECT_EQ(db.Get("first"), "1");
}

// What a descriptor says that was not synced before it was reused.
TEST(SyncOrderTest, ALogIsRemovedByADurableDescriptorOnly) {
  TempDir dir;
  PowerLossEnv power(leveldb::Env::Default(), dir.Join("trash"));
  FaultInjectionEnv env(&power);
  Database db(&env, dir.Join("db"));
  db.options()->reuse_logs = true;
  ASSERT_OK(db.Open());
  ASSERT_OK(db.Put("first", "1", /*sync=*/true));
  FileFault fault;
  fault.operations = {FileOperation::kSync};
  fault.pattern = "*/MANIFEST-*";
  const int number = env.AddFault(fault);
  db->CompactRange(nullptr, nullptr);
  EXPECT_EQ(env.Failures(number), 1);
  db.Close();
  env.RemoveAllFaults();

  ASSERT_OK(db.Open());
  EXPECT_GT(env.Operations(FileOperation::kRemove, "*.log"), 0);
  ASSERT_OK(db.Put("second", "2", /*sync=*/true));
  power.CutPower();
  db.Close();
  ASSERT_OK(power.RestorePower({PowerLoss::Unsynced::kLost}));
  ASSERT_OK(db.Open());
  EXPECT_EQ(db.Get("second"), "2");
  EXPECT_EQ(db.Get("first"), "1");
}

// Not every Env can open a file for appending; then all is as it was.
TEST(SyncOrderTest, AnEnvThatCannotAppendStillSyncs) {
  TempDir dir;
  FaultInjectionEnv env(leveldb::Env::Default());
  FileFault fault;
  fault.operations = {FileOperation::kCreate};
  fault.pattern = "*.log";
  fault.skip = 2;  // the first log, and the second
  fault.status = leveldb::Status::NotSupported("appending");
  absl::Notification done;
  env.SetObserver([&](FileOperation operation, const std::string& path) {
    if (operation == FileOperation::kCreate &&
        path.find(".ldb") != std::string::npos) {
      done.WaitForNotification();
    }
  });
  Database db(&env, dir.Join("db"));
  const int number = env.AddFault(fault);
  ASSERT_OK(db.Open());
  ASSERT_OK(db.FillMemTable());
  EXPECT_OK(db.Put("second", "2", /*sync=*/true));
  EXPECT_EQ(env.Failures(number), 1);
  env.RemoveAllFaults();
  done.Notify();
  EXPECT_EQ(db.Get("second"), "2");
}

}  // namespace
}  // namespace shardingdb
