// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What a set with a commit log does when files fail, and which sets it opens.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "shardingdb/applied_lsn.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/fault_injection_env.h"
#include "testing/power_loss_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CommitLogSetTest : public ::testing::Test {
 protected:
  CommitLogSetTest()
      : power_(leveldb::Env::Default(), dir_.Join("trash")), env_(&power_) {
    log_.folder = dir_.Join("log");
  }

  std::vector<std::string> Paths() const {
    return {dir_.Join("a"), dir_.Join("b"), dir_.Join("c")};
  }

  ShardingDbBuilder Builder() {
    leveldb::Options options;
    options.create_if_missing = true;
    options.env = &env_;
    ShardingDbBuilder builder;
    builder.WithDbPaths(Paths()).WithOptions(options);
    return builder;
  }
  absl::StatusOr<std::unique_ptr<ShardingDb>> Open() {
    return Builder().WithCommitLog(log_).Build();
  }

  // A batch with all of "0" to "9", which are in all three shards.
  static leveldb::Status WriteAll(ShardingDb* db, const std::string& value,
                                  bool sync = false) {
    leveldb::WriteBatch batch;
    for (int i = 0; i < 10; ++i) batch.Put(absl::StrCat(i), value);
    leveldb::WriteOptions options;
    options.sync = sync;
    return db->Write(options, &batch);
  }
  // How many of them have that value.
  static int CountAll(ShardingDb* db, const std::string& value) {
    int count = 0;
    const std::unique_ptr<leveldb::Iterator> iterator(
        db->NewIterator(leveldb::ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next())
      count += iterator->value() == value ? 1 : 0;
    EXPECT_OK(iterator->status());
    return count;
  }
  // A key of `shard`.
  static std::string KeyOf(const ShardingDb& db, uint32_t shard) {
    for (int i = 0;; ++i) {
      if (db.sharding_func().ShardOf(absl::StrCat(i), 3) == shard)
        return absl::StrCat(i);
    }
  }

  void Kill(std::unique_ptr<ShardingDb> db) {
    power_.CutPower();
    db.reset();
    env_.RemoveAllFaults();
    env_.SetUnlimitedSpace();
    ASSERT_OK(power_.RestorePower({PowerLoss::Unsynced::kKept}));
  }

  bool HasLog() const {
    std::vector<std::string> names;
    static_cast<void>(
        leveldb::Env::Default()->GetChildren(log_.folder, &names));
    for (const std::string& name : names)
      if (name.find("commit-") == 0) return true;
    return false;
  }

  const TempDir dir_;
  PowerLossEnv power_;
  FaultInjectionEnv env_;
  CommitLogOptions log_;
};

TEST_F(CommitLogSetTest, SaysThatBatchesAreWhole) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  std::string value;
  ASSERT_TRUE(db->GetProperty("shardingdb.batch-atomicity", &value));
  EXPECT_EQ(value, "all-shards");
}

TEST_F(CommitLogSetTest, ReservedRecordsDoNotShow) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  ASSERT_OK(WriteAll(db.get(), "x"));
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(leveldb::ReadOptions()));
  int count = 0;
  for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) ++count;
  EXPECT_EQ(count, 10);
  EXPECT_EQ(CountAll(db.get(), "x"), 10);
  iterator->Seek(AppliedLsnKey());
  EXPECT_FALSE(iterator->Valid());
  std::string value;
  EXPECT_THAT(db->Get(leveldb::ReadOptions(), AppliedLsnKey(), &value),
              IsLevelDbNotFound());
  bool found = true;
  EXPECT_OK(db->Has(leveldb::ReadOptions(), AppliedLsnKey(), &found));
  EXPECT_FALSE(found);
  std::vector<std::string> values;
  EXPECT_THAT(
      db->MultiGet(leveldb::ReadOptions(), {AppliedLsnKey()}, &values)[0],
      IsLevelDbNotFound());
}

TEST_F(CommitLogSetTest, NothingIsLeftOfALogOnceTheSetIsClosed) {
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
    ASSERT_OK(WriteAll(db.get(), "x"));
    EXPECT_TRUE(HasLog());
    ASSERT_OK(db->Close());
  }
  EXPECT_FALSE(HasLog());
  for (const std::string& path : Paths()) {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<DbHandle> shard,
                         OpenLevelDb(path, ShardOptions()));
    std::string value;
    EXPECT_THAT(shard->Get(leveldb::ReadOptions(), AppliedLsnKey(), &value),
                IsLevelDbNotFound());
  }
  {  // without a log, and with another one
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Builder().Build());
    ASSERT_OK(WriteAll(db.get(), "y"));
  }
  log_.folder = dir_.Join("log-2");
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  EXPECT_EQ(CountAll(db.get(), "y"), 10);
}

TEST_F(CommitLogSetTest, ASetThatEndsWithoutCloseIsClosed) {
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
    ASSERT_OK(WriteAll(db.get(), "x"));
  }
  EXPECT_FALSE(HasLog());
  EXPECT_OK(Builder().Build().status());
}

TEST_F(CommitLogSetTest, ASetThatWasKilledNeedsItsLog) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  ASSERT_OK(WriteAll(db.get(), "x"));
  Kill(std::move(db));

  EXPECT_THAT(Builder().Build(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                          AllOf(HasSubstr("WithCommitLog"),
                                                HasSubstr("shard 0"))));
  EXPECT_THAT(Builder().WithReadOnly().Build(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("WithCommitLog")));
  const std::string own = log_.folder;
  log_.folder = dir_.Join("another");
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr(log_.folder)));
  {  // another set's log, with a batch in it
    CommitLogOptions log;
    log.folder = log_.folder;
    ASSERT_OK_AND_ASSIGN(
        std::unique_ptr<ShardingDb> other,
        ShardingDbBuilder()
            .WithDbPaths({dir_.Join("d"), dir_.Join("e"), dir_.Join("f")})
            .WithOptions([this] {
              leveldb::Options options;
              options.create_if_missing = true;
              options.env = &env_;
              return options;
            }())
            .WithCommitLog(log)
            .Build());
    ASSERT_OK(WriteAll(other.get(), "other"));
    Kill(std::move(other));
  }
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("another")));
  log_.folder = own;
  ASSERT_OK_AND_ASSIGN(db, Open());
  EXPECT_EQ(CountAll(db.get(), "x"), 10);
}

TEST_F(CommitLogSetTest, ALostLogIsGivenUpWhenAsked) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  ASSERT_OK(WriteAll(db.get(), "x"));
  Kill(std::move(db));
  log_.folder = dir_.Join("another");
  log_.accept_loss = true;
  {
    ASSERT_OK_AND_ASSIGN(db, Open());
    EXPECT_EQ(CountAll(db.get(), "x"), 10);
    ASSERT_OK(WriteAll(db.get(), "y"));
    Kill(std::move(db));
  }
  log_.accept_loss = false;
  ASSERT_OK_AND_ASSIGN(db, Open());
  EXPECT_EQ(CountAll(db.get(), "y"), 10);
}

TEST_F(CommitLogSetTest, AnOlderCopyOfAShardIsNoticed) {
  log_.segment_bytes = 1;
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  ASSERT_OK(WriteAll(db.get(), "x"));
  Kill(std::move(db));
  {  // as one that was made before the log was
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<DbHandle> shard,
                         OpenLevelDb(dir_.Join("b"), ShardOptions()));
    ASSERT_OK(shard->Delete(leveldb::WriteOptions(), AppliedLsnKey()));
  }
  EXPECT_THAT(Open(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("shard 1"), HasSubstr("older copy"))));
}

// A shard that cannot be written is behind: nobody sees half of the batch, the
// others go on, and the next opening makes it whole.
TEST_F(CommitLogSetTest, NobodySeesHalfABatchThatFailedInOneShard) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  ASSERT_OK(WriteAll(db.get(), "before"));
  FileFault fault;
  fault.operations = {FileOperation::kAppend, FileOperation::kFlush};
  fault.pattern = "*/b/*.log";
  env_.AddFault(fault);
  EXPECT_THAT(WriteAll(db.get(), "after"),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("shard 1")));
  env_.RemoveAllFaults();

  std::string value;
  for (uint32_t shard : {0, 2}) {
    EXPECT_OK(db->Get(leveldb::ReadOptions(), KeyOf(*db, shard), &value));
    EXPECT_EQ(value, "after");
    EXPECT_OK(db->Put(leveldb::WriteOptions(), KeyOf(*db, shard), "after"));
  }
  const std::string behind = KeyOf(*db, 1);
  const auto is_behind = LevelDbStatusIs(
      LevelDbCode::kIOError, AllOf(HasSubstr("shard 1"), HasSubstr("behind")));
  EXPECT_THAT(db->Get(leveldb::ReadOptions(), behind, &value), is_behind);
  bool found;
  EXPECT_THAT(db->Has(leveldb::ReadOptions(), behind, &found), is_behind);
  EXPECT_THAT(db->Put(leveldb::WriteOptions(), behind, "lost"), is_behind);
  EXPECT_THAT(WriteAll(db.get(), "lost"), is_behind);
  std::vector<std::string> values;
  EXPECT_THAT(
      db->MultiGet(leveldb::ReadOptions(), {KeyOf(*db, 0), behind}, &values)[0],
      is_behind);
  {
    const std::unique_ptr<leveldb::Iterator> iterator(
        db->NewIterator(leveldb::ReadOptions()));
    iterator->SeekToFirst();
    EXPECT_FALSE(iterator->Valid());
    EXPECT_THAT(iterator->status(), is_behind);
  }
  EXPECT_THAT(db->Close(), is_behind);
  db.reset();

  ASSERT_OK_AND_ASSIGN(db, Open());
  EXPECT_EQ(CountAll(db.get(), "after"), 10);
}

// A batch that could not be logged is nowhere, and stays so after a kill; what
// was written after it stays.
TEST_F(CommitLogSetTest, WhatCouldNotBeLoggedIsNowhere) {
  for (const bool sync : {false, true}) {
    for (const FileOperation operation :
         {FileOperation::kAppend, FileOperation::kFlush,
          FileOperation::kSync}) {
      for (const uint64_t torn : {0, 50, 400}) {
        if (operation == (sync ? FileOperation::kFlush : FileOperation::kSync))
          continue;  // does not come up
        ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
        ASSERT_OK(WriteAll(db.get(), "before"));
        FileFault fault;
        fault.operations = {operation, FileOperation::kCreate};
        fault.pattern = "*/commit-*";
        fault.torn_bytes = torn;
        env_.AddFault(fault);
        EXPECT_THAT(
            WriteAll(db.get(), "failed", sync),
            LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("commit log")));
        // Nothing may be written before it is sure that this stays away.
        const std::string key = KeyOf(*db, 2);
        EXPECT_THAT(
            db->Put(leveldb::WriteOptions(), key, "refused"),
            LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("commit log")));
        EXPECT_EQ(CountAll(db.get(), "before"), 10);
        env_.RemoveAllFaults();
        EXPECT_OK(db->Put(leveldb::WriteOptions(), key, "alone"));
        Kill(std::move(db));

        ASSERT_OK_AND_ASSIGN(db, Open());
        EXPECT_EQ(CountAll(db.get(), "before"), 9);
        EXPECT_EQ(CountAll(db.get(), "alone"), 1);
        ASSERT_OK(db->Close());
      }
    }
  }
}

TEST_F(CommitLogSetTest, AFullDiskIsToldAndPasses) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  ASSERT_OK(WriteAll(db.get(), "before"));
  env_.SetFreeSpace(100);
  EXPECT_THAT(WriteAll(db.get(), std::string(1000, 'x')),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("No space")));
  EXPECT_EQ(CountAll(db.get(), "before"), 10);
  env_.SetUnlimitedSpace();
  EXPECT_OK(WriteAll(db.get(), "after"));
  EXPECT_EQ(CountAll(db.get(), "after"), 10);
  Kill(std::move(db));
  ASSERT_OK_AND_ASSIGN(db, Open());
  EXPECT_EQ(CountAll(db.get(), "after"), 10);
}

// A refused batch must not be applied by the next opening.
TEST_F(CommitLogSetTest, WhatIsRefusedIsNotLogged) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  ASSERT_OK(WriteAll(db.get(), "before"));
  ASSERT_OK(db->SetReadOnly(true));
  EXPECT_THAT(WriteAll(db.get(), "refused"),
              LevelDbStatusIs(LevelDbCode::kNotSupported));
  Kill(std::move(db));
  ASSERT_OK_AND_ASSIGN(db, Open());
  EXPECT_EQ(CountAll(db.get(), "before"), 10);
  ASSERT_OK(db->SetReadOnly(true));
  ASSERT_OK(db->Close());
  EXPECT_FALSE(HasLog());
}

// Old segments go while the set is in use, and what is left is enough.
TEST_F(CommitLogSetTest, TheLogStaysShort) {
  log_.segment_bytes = 10000;
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  RunThreads(4, [&](int) {
    for (int i = 0; i < 300; ++i)
      EXPECT_OK(WriteAll(db.get(), std::string(100, 'x')));
  });
  ASSERT_OK(WriteAll(db.get(), "last"));
  Kill(std::move(db));  // waits for what recycles
  std::vector<std::string> names;
  ASSERT_OK(leveldb::Env::Default()->GetChildren(log_.folder, &names));
  EXPECT_LT(names.size(), 60);  // of 150 segments
  ASSERT_OK_AND_ASSIGN(db, Open());
  EXPECT_EQ(CountAll(db.get(), "last"), 10);
}

// One fsync a batch, that of the log, unless something unlogged came before.
TEST_F(CommitLogSetTest, ASyncedBatchSyncsTheLogOnly) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
  ASSERT_OK(WriteAll(db.get(), "x", true));
  const uint64_t shards = env_.Operations(FileOperation::kSync, "*/[abc]/*");
  const uint64_t logs = env_.Operations(FileOperation::kSync, "*/commit-*");
  for (int i = 0; i < 5; ++i) ASSERT_OK(WriteAll(db.get(), "y", true));
  EXPECT_EQ(env_.Operations(FileOperation::kSync, "*/commit-*"), logs + 5);
  EXPECT_EQ(env_.Operations(FileOperation::kSync, "*/[abc]/*"), shards);
  // As in one LevelDB, it makes durable what came before it.
  ASSERT_OK(db->Put(leveldb::WriteOptions(), KeyOf(*db, 1), "alone"));
  ASSERT_OK(WriteAll(db.get(), "z", true));
  EXPECT_EQ(env_.Operations(FileOperation::kSync, "*/[abc]/*"), shards + 1);
}

// One that looks at the first four bytes only would have the records of a shard
// take each other's place.
class FourBytesComparator final : public leveldb::Comparator {
 public:
  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    return First(a).compare(First(b));
  }
  const char* Name() const override { return "four bytes"; }
  void FindShortestSeparator(std::string*,
                             const leveldb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  static leveldb::Slice First(const leveldb::Slice& key) {
    return {key.data(), std::min<size_t>(key.size(), 4)};
  }
};

TEST_F(CommitLogSetTest, AComparatorThatMixesRecordsUpIsRefused) {
  const FourBytesComparator comparator;
  leveldb::Options options;
  options.create_if_missing = true;
  options.comparator = &comparator;
  EXPECT_THAT(Builder().WithOptions(options).WithCommitLog(log_).Build(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("four bytes"), HasSubstr("records"))));
}

TEST_F(CommitLogSetTest, OptionsMustFit) {
  log_.folder.clear();
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kInvalidArgument,
                               HasSubstr("commit log")));
  log_.folder = dir_.Join("log");
  EXPECT_THAT(
      Builder().WithReadOnly().WithCommitLog(log_).Build(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("WithCommitLog")));
  log_.folder = Paths()[0];
  { ASSERT_OK(Builder().Build().status()); }
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("in use")));
}

}  // namespace
}  // namespace shardingdb
