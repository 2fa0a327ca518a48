// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/fault_injecting_db_handle.h"

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "testing/conformance_suite.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Status;
using ::leveldb::WriteOptions;
using ::testing::Each;
using ::testing::ElementsAre;

ConformanceParam WithoutFaults() {
  ConformanceParam param;
  param.name = "WithoutFaults";
  param.open = [](const std::string&, const leveldb::Comparator* comparator) {
    return std::make_unique<FaultInjectingDbHandle>(
        std::make_unique<ModelDb>(comparator), std::make_shared<DbFaults>());
  };
  param.persistent = false;
  return param;
}

INSTANTIATE_TEST_SUITE_P(FaultInjecting, DbHandleConformance,
                         ::testing::Values(WithoutFaults()), ConformanceName);

class FaultInjectingDbHandleTest : public ::testing::Test {
 protected:
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_.Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }

  const std::shared_ptr<DbFaults> faults_ = std::make_shared<DbFaults>();
  FaultInjectingDbHandle db_{std::make_unique<ModelDb>(), faults_};
};

const auto kInjected = LevelDbStatusIs(LevelDbCode::kIOError, "injected fault");

TEST_F(FaultInjectingDbHandleTest, EachKindOfCallFails) {
  ASSERT_OK(db_.Put(WriteOptions(), "a", "1"));
  std::string value;
  bool found = true;
  std::vector<std::string> values;
  leveldb::WriteBatch batch;
  batch.Put("a", "2");
  const std::vector<std::pair<DbCall, std::function<Status()>>> kCases = {
      {DbCall::kPut, [&] { return db_.Put(WriteOptions(), "a", "2"); }},
      {DbCall::kDelete, [&] { return db_.Delete(WriteOptions(), "a"); }},
      {DbCall::kWrite, [&] { return db_.Write(WriteOptions(), &batch); }},
      {DbCall::kGet, [&] { return db_.Get(ReadOptions(), "a", &value); }},
      {DbCall::kHas, [&] { return db_.Has(ReadOptions(), "a", &found); }},
      {DbCall::kMultiGet,
       [&] { return db_.MultiGet(ReadOptions(), {"a"}, &values)[0]; }},
      {DbCall::kNewIterator,
       [&] {
         const std::unique_ptr<leveldb::Iterator> iterator(
             db_.NewIterator(ReadOptions()));
         return iterator->status();
       }},
      {DbCall::kNewRangeIterator,
       [&] { return db_.NewRangeIterator(ReadOptions(), {})->status(); }},
      {DbCall::kSetReadOnly, [&] { return db_.SetReadOnly(true); }},
      {DbCall::kClose, [&] { return db_.Close(); }},
  };
  for (const auto& [kind, call] : kCases) {
    const int fault = faults_->Add({{kind}});
    EXPECT_THAT(call(), kInjected) << static_cast<int>(kind);
    EXPECT_EQ(faults_->Failures(fault), 1u);
    faults_->Remove(fault);
  }
  EXPECT_FALSE(found);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_FALSE(db_.GetStats().read_only);
}

TEST_F(FaultInjectingDbHandleTest, FaultsMatchByKindAndTurn) {
  faults_->Add({{DbCall::kPut, DbCall::kDelete}, /*skip=*/1, /*count=*/2});
  EXPECT_OK(db_.Put(WriteOptions(), "a", "1"));
  EXPECT_THAT(db_.Put(WriteOptions(), "a", "2"), kInjected);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_THAT(db_.Delete(WriteOptions(), "a"), kInjected);
  EXPECT_OK(db_.Put(WriteOptions(), "a", "3"));
  EXPECT_EQ(Get("a"), "3");
}

TEST_F(FaultInjectingDbHandleTest, TheFirstFaultThatMatchesDecides) {
  faults_->Add({{DbCall::kPut}, 0, 1, Status::Corruption("first")});
  faults_->Add({{}, 0, 10, Status::NotSupported("second")});
  EXPECT_THAT(db_.Put(WriteOptions(), "a", "1"),
              LevelDbStatusIs(LevelDbCode::kCorruption, "first"));
  EXPECT_THAT(db_.Put(WriteOptions(), "a", "1"),
              LevelDbStatusIs(LevelDbCode::kNotSupported, "second"));
  faults_->RemoveAll();
  EXPECT_OK(db_.Put(WriteOptions(), "a", "1"));
}

TEST_F(FaultInjectingDbHandleTest, ACallCanBePerformedAndFail) {
  DbFault fault{{DbCall::kPut}};
  fault.performed = true;
  faults_->Add(fault);
  EXPECT_THAT(db_.Put(WriteOptions(), "a", "1"), kInjected);
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(FaultInjectingDbHandleTest, IteratorsFailAfterSomeSteps) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK(db_.Put(WriteOptions(), absl::StrCat(i), ""));
  }
  faults_->Add({{DbCall::kIteratorStep}, /*skip=*/3, /*count=*/1});
  const std::unique_ptr<leveldb::Iterator> iterator(
      db_.NewIterator(ReadOptions()));
  std::vector<std::string> keys;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    keys.push_back(iterator->key().ToString());
  }
  EXPECT_THAT(keys, ElementsAre("0", "1", "2"));
  EXPECT_THAT(iterator->status(), kInjected);
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_THAT(iterator->status(), kInjected);

  const auto second = db_.NewRangeIterator(ReadOptions(), {"3", ""});
  second->SeekToFirst();
  ASSERT_TRUE(second->Valid());
  EXPECT_EQ(second->key().ToString(), "3");
}

TEST_F(FaultInjectingDbHandleTest, CountsCalls) {
  ASSERT_OK(db_.Put(WriteOptions(), "a", "1"));
  ASSERT_OK(db_.Put(WriteOptions(), "b", "1"));
  db_.ReleaseSnapshot(db_.GetSnapshot());
  EXPECT_EQ(faults_->Calls(DbCall::kPut), 2u);
  EXPECT_EQ(faults_->Calls(DbCall::kDelete), 0u);
  EXPECT_EQ(faults_->Calls(DbCall::kGetSnapshot), 1u);
  EXPECT_EQ(faults_->Calls(DbCall::kReleaseSnapshot), 1u);
}

TEST_F(FaultInjectingDbHandleTest, AnObserverHoldsACallUp) {
  absl::Notification arrived;
  absl::Notification go_on;
  faults_->SetObserver([&](DbCall call) {
    if (call != DbCall::kPut) return;
    arrived.Notify();
    go_on.WaitForNotification();
  });
  std::thread writer([&] { EXPECT_OK(db_.Put(WriteOptions(), "a", "1")); });
  arrived.WaitForNotification();
  EXPECT_EQ(Get("a"), "NotFound: no such key");
  go_on.Notify();
  writer.join();
  EXPECT_EQ(Get("a"), "1");
}

}  // namespace
}  // namespace shardingdb
