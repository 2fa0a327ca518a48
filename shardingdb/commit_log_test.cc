// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/commit_log.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "leveldb/write_batch.h"
#include "shardingdb/logged_batch.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/unsynced_env.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CommitLogTest : public ::testing::Test {
 protected:
  CommitLogTest() : env_(UnsyncedEnv()) {
    options_.folder = dir_.Join("log");
    options_.env = &env_;
  }

  absl::StatusOr<std::unique_ptr<CommitLog>> Open() {
    CommitLog::Layout layout;
    layout.function = function_;
    layout.shard_count = 3;
    return CommitLog::Open(options_, layout);
  }

  // A log that goes on behind what is there.
  std::unique_ptr<CommitLog> Started() {
    absl::StatusOr<std::unique_ptr<CommitLog>> log = Open();
    EXPECT_OK(log.status());
    if (!log.ok()) return nullptr;
    EXPECT_OK((*log)->Start((*log)->last_lsn()));
    return *std::move(log);
  }

  static std::string Batch(uint64_t lsn) {
    leveldb::WriteBatch batch;
    batch.Put(absl::StrCat("key-", lsn), std::string(lsn % 50, 'v'));
    batch.Delete("gone");
    std::string bytes;
    EXPECT_OK(EncodeBatch(batch, &bytes));
    return bytes;
  }

  static leveldb::Status Append(CommitLog* log, uint64_t lsn,
                                bool sync = false) {
    const std::string bytes = Batch(lsn);
    CommitLog::Record record;
    record.lsn = lsn;
    record.batch = bytes;
    record.checksum = CommitLog::ChecksumOf(bytes);
    return log->Append({record}, sync);
  }

  // What a log that is opened now holds.
  absl::StatusOr<std::vector<uint64_t>> Lsns() {
    absl::StatusOr<std::unique_ptr<CommitLog>> log = Open();
    if (!log.ok()) return log.status();
    std::vector<uint64_t> lsns;
    const absl::Status status =
        (*log)->Replay([&](uint64_t lsn, leveldb::WriteBatch* batch) {
          std::string bytes;
          EXPECT_OK(EncodeBatch(*batch, &bytes));
          EXPECT_EQ(bytes, Batch(lsn));
          lsns.push_back(lsn);
          return absl::OkStatus();
        });
    if (!status.ok()) return status;
    EXPECT_EQ((*log)->last_lsn(), lsns.empty() ? 0 : lsns.back());
    return lsns;
  }

  std::string Segment(int number) const {
    return absl::StrCat(options_.folder, "/commit-000000000", number, ".log");
  }
  std::string Read(const std::string& file) {
    std::string bytes;
    EXPECT_OK(leveldb::ReadFileToString(leveldb::Env::Default(), file, &bytes));
    return bytes;
  }
  void Write(const std::string& file, const std::string& bytes) {
    EXPECT_OK(leveldb::WriteStringToFile(leveldb::Env::Default(), bytes, file));
  }

  const TempDir dir_;
  FaultInjectionEnv env_;
  CommitLog::Options options_;
  std::string function_ = "jump";
};

TEST_F(CommitLogTest, HoldsWhatWasAppended) {
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<CommitLog> log, Open());
    EXPECT_TRUE(log->is_new());
    ASSERT_OK(log->Start(0));
    for (uint64_t lsn = 1; lsn <= 5; ++lsn)
      ASSERT_OK(Append(log.get(), lsn, lsn == 2));
    ASSERT_OK(Append(log.get(), 9));  // numbers may be left out
    EXPECT_EQ(log->last_lsn(), 9);
  }
  EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{1, 2, 3, 4, 5, 9}));
}

TEST_F(CommitLogTest, GoesOnBehindWhatIsThere) {
  { ASSERT_OK(Append(Started().get(), 1)); }
  const std::string id = Started()->id();
  { ASSERT_OK(Append(Started().get(), 2)); }
  EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(Started()->id(), id);
}

// Whatever a kill leaves of the last batch, those before it are there.
TEST_F(CommitLogTest, TornEndsAreLeftOut) {
  { ASSERT_OK(Append(Started().get(), 1)); }
  const size_t first = Read(Segment(1)).size();
  { ASSERT_OK(Append(Started().get(), 2)); }
  const std::string whole = Read(Segment(2));
  for (size_t size = 0; size < whole.size(); ++size) {
    Write(Segment(2), whole.substr(0, size));
    EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{1})) << size;
  }
  const std::string one = Read(Segment(1));
  ASSERT_EQ(one.size(), first);
}

TEST_F(CommitLogTest, EveryFlippedBitOfWhatWasSyncedIsNoticed) {
  {
    std::unique_ptr<CommitLog> log = Started();
    for (uint64_t lsn = 1; lsn <= 3; ++lsn)
      ASSERT_OK(Append(log.get(), lsn, true));
    ASSERT_OK(Append(log.get(), 4));
  }
  const std::string whole = Read(Segment(1));
  const size_t last = 32 + Batch(4).size();
  for (size_t i = 0; i + last < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    Write(Segment(1), bytes);
    const absl::StatusOr<std::vector<uint64_t>> lsns = Lsns();
    if (i < whole.size() - 32 * 4 && lsns.ok() && lsns->empty()) {
      // A header that is no header means that nothing had been appended.
      continue;
    }
    EXPECT_THAT(lsns.status(),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr(Segment(1)), HasSubstr("damaged"),
                               HasSubstr("accept_loss"))))
        << i;
  }
  // The last one had not been synced: nobody can tell.
  std::string bytes = whole;
  bytes.back() ^= 1;
  Write(Segment(1), bytes);
  EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{1, 2, 3}));
}

TEST_F(CommitLogTest, GivesUpWhatIsBehindDamageWhenAsked) {
  options_.segment_bytes = 1;  // one batch each
  {
    std::unique_ptr<CommitLog> log = Started();
    for (uint64_t lsn = 1; lsn <= 5; ++lsn)
      ASSERT_OK(Append(log.get(), lsn, true));
  }
  std::string bytes = Read(Segment(3));
  bytes.back() ^= 1;
  Write(Segment(3), bytes);
  EXPECT_THAT(Lsns().status(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(Segment(3))));
  options_.accept_loss = true;
  EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{1, 2}));
  { ASSERT_OK(Append(Started().get(), 7)); }
  options_.accept_loss = false;
  EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{1, 2, 7}));
}

TEST_F(CommitLogTest, MissesASegment) {
  options_.segment_bytes = 1;
  {
    std::unique_ptr<CommitLog> log = Started();
    for (uint64_t lsn = 1; lsn <= 3; ++lsn) ASSERT_OK(Append(log.get(), lsn));
  }
  ASSERT_OK(leveldb::Env::Default()->RemoveFile(Segment(2)));
  EXPECT_THAT(Lsns().status(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(Segment(2)), HasSubstr("missing"))));
}

TEST_F(CommitLogTest, RemovesOldSegments) {
  options_.segment_bytes = 1;
  {
    std::unique_ptr<CommitLog> log = Started();
    for (uint64_t lsn = 1; lsn <= 4; ++lsn) ASSERT_OK(Append(log.get(), lsn));
    ASSERT_OK(log->RemoveBefore(3));
    EXPECT_FALSE(leveldb::Env::Default()->FileExists(Segment(2)));
  }
  EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{3, 4}));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<CommitLog> log, Open());
  EXPECT_EQ(log->first_lsn(), 3);
  ASSERT_OK(log->Start(4));
  ASSERT_OK(log->RemoveAll());
  log.reset();
  EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{}));
}

// Whichever write, flush, sync, creation or closing fails, and however much of
// it is written all the same: the batch that it was of is not in the log once
// anything else is, and all that was acknowledged is.
TEST_F(CommitLogTest, WhatFailedIsTakenBack) {
  for (FileOperation operation :
       {FileOperation::kAppend, FileOperation::kFlush, FileOperation::kSync,
        FileOperation::kCreate, FileOperation::kClose}) {
    for (uint64_t segment_bytes : {uint64_t{1} << 20, uint64_t{1}}) {
      for (uint64_t skip = 0; skip < 16; ++skip) {
        SCOPED_TRACE(absl::StrCat(static_cast<int>(operation), " ",
                                  segment_bytes, " ", skip));
        const TempDir dir;
        options_.folder = dir.Join("log");
        options_.segment_bytes = segment_bytes;
        std::vector<uint64_t> acknowledged;
        {
          std::unique_ptr<CommitLog> log = Started();
          ASSERT_NE(log, nullptr);
          FileFault fault;
          fault.operations = {operation};
          fault.skip = skip;
          fault.count = 2;
          fault.torn_bytes = 40;
          env_.AddFault(fault);
          for (uint64_t lsn = 1; lsn <= 6; ++lsn) {
            if (Append(log.get(), lsn, lsn % 2 == 0).ok())
              acknowledged.push_back(lsn);
          }
          env_.RemoveAllFaults();
        }
        ASSERT_OK_AND_ASSIGN(std::vector<uint64_t> lsns, Lsns());
        // What failed at last may be there, since nothing came after it.
        if (lsns.size() == acknowledged.size() + 1) lsns.pop_back();
        EXPECT_EQ(lsns, acknowledged);
      }
    }
  }
}

TEST_F(CommitLogTest, IsForOneAtATime) {
  std::unique_ptr<CommitLog> log = Started();
  EXPECT_THAT(Open().status(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                        HasSubstr(options_.folder)));
}

TEST_F(CommitLogTest, IsOfOneLayout) {
  { Started(); }
  function_ = "murmur";
  EXPECT_THAT(Open().status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"jump\""), HasSubstr("\"murmur\""))));
}

TEST_F(CommitLogTest, HasAFolderOfItsOwn) {
  { Started(); }
  Write(absl::StrCat(options_.folder, "/CURRENT"), "");
  EXPECT_THAT(Open().status(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                        HasSubstr("CURRENT")));
}

TEST_F(CommitLogTest, IsOfThisVersion) {
  { Started(); }
  std::string bytes = Read(Segment(1));
  // A newer program's: right in itself.
  const size_t version = bytes.find(" 1\n") + 1;
  bytes[version] = '2';
  Write(Segment(1), bytes);
  // With a checksum that does not fit it is no header, and so nothing.
  EXPECT_THAT(Lsns(), IsOkAndHolds(std::vector<uint64_t>{}));
}

}  // namespace
}  // namespace shardingdb
