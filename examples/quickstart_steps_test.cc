// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "examples/quickstart_steps.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "reshard/progress.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class QuickstartStepsTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kEntries = 1050;  // the last batch is half a batch

  // The entry in the middle.
  std::pair<std::string, std::string> Middle() {
    const std::unique_ptr<leveldb::Iterator> i(
        db_.NewIterator(leveldb::ReadOptions()));
    i->SeekToFirst();
    for (uint64_t n = 0; n < kEntries / 2; ++n) i->Next();
    return {i->key().ToString(), i->value().ToString()};
  }

  // Both ways of checking find `what` to be wrong with `key`.
  void ExpectFound(const std::string& key, const std::string& what) {
    const auto corruption = LevelDbStatusIs(
        LevelDbCode::kCorruption, AllOf(HasSubstr(key), HasSubstr(what)));
    EXPECT_THAT(steps_.Read(&db_, false), corruption);
    EXPECT_THAT(steps_.Scan(&db_, false),
                LevelDbStatusIs(LevelDbCode::kCorruption, ::testing::_));
  }

  ModelDb db_;
  Progress progress_{Progress::Options()};
  std::atomic<bool> stop_{false};
  QuickstartSteps steps_{kEntries, 3, &progress_, &stop_};
};

TEST_F(QuickstartStepsTest, AreHappyWithAMap) {
  EXPECT_OK(steps_.Write(&db_));
  EXPECT_OK(steps_.Read(&db_, false));
  EXPECT_OK(steps_.Scan(&db_, false));
  EXPECT_OK(steps_.Snapshot(&db_));
  EXPECT_OK(steps_.Read(&db_, true));
  EXPECT_OK(steps_.Scan(&db_, true));
  EXPECT_EQ(db_.GetStats().open_snapshots, 0u);
}

TEST_F(QuickstartStepsTest, FindALostEntry) {
  ASSERT_OK(steps_.Write(&db_));
  const std::string key = Middle().first;
  ASSERT_OK(db_.Delete(leveldb::WriteOptions(), key));
  ExpectFound(key, "is lost");
}

TEST_F(QuickstartStepsTest, FindAWrongValue) {
  ASSERT_OK(steps_.Write(&db_));
  const auto [key, value] = Middle();
  ASSERT_OK(db_.Put(leveldb::WriteOptions(), key, value + "x"));
  ExpectFound(key, "has a wrong value");
}

TEST_F(QuickstartStepsTest, FindAnEntryTooMany) {
  ASSERT_OK(steps_.Write(&db_));
  ASSERT_OK(db_.Put(leveldb::WriteOptions(), "zzz", "x"));
  EXPECT_THAT(steps_.Scan(&db_, false),
              LevelDbStatusIs(LevelDbCode::kCorruption, HasSubstr("zzz")));
}

TEST_F(QuickstartStepsTest, FindThatTheEndIsMissing) {
  ASSERT_OK(steps_.Write(&db_));
  const QuickstartSteps more(kEntries + 1, 3, &progress_, &stop_);
  EXPECT_THAT(more.Scan(&db_, false),
              LevelDbStatusIs(LevelDbCode::kCorruption, HasSubstr("lost")));
}

TEST_F(QuickstartStepsTest, FindThatOverwrittenEntriesCameBack) {
  ASSERT_OK(steps_.Write(&db_));
  EXPECT_THAT(
      steps_.Read(&db_, true),
      LevelDbStatusIs(LevelDbCode::kCorruption, HasSubstr("wrong value")));
}

TEST_F(QuickstartStepsTest, Stop) {
  ASSERT_OK(steps_.Write(&db_));
  stop_ = true;
  const auto stopped = LevelDbStatusIs(LevelDbCode::kIOError, "stopped");
  EXPECT_THAT(steps_.Write(&db_), stopped);
  EXPECT_THAT(steps_.Read(&db_, false), stopped);
  EXPECT_THAT(steps_.Scan(&db_, false), stopped);
  EXPECT_THAT(steps_.Snapshot(&db_), stopped);
  EXPECT_EQ(db_.GetStats().open_snapshots, 0u);
}

TEST_F(QuickstartStepsTest, ReturnTheDatabasesOwnError) {
  ASSERT_OK(db_.SetReadOnly(true));
  EXPECT_THAT(steps_.Write(&db_),
              LevelDbStatusIs(LevelDbCode::kNotSupported, ::testing::_));
}

}  // namespace
}  // namespace shardingdb
