// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// An open set on a disk that fails: each call says what happened and in which
// shard, no answer is made up, and what was acknowledged is there afterwards.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "crypto/key_ring.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "testing/fault_injection_env.h"
#include "testing/random_bytes.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"
#include "testing/unsynced_env.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::Status;
using ::leveldb::WriteOptions;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kShards = 3;

// "0..." lives in shard 0, "1..." in shard 1, "2..." in shard 2.
ShardingFuncPtr ByFirstDigit() {
  return CustomSharding("by-first-digit", [](const Slice& key, uint32_t) {
    return static_cast<uint32_t>(key[0] - '0');
  });
}

std::string Key(int shard, int i) { return absl::StrCat(shard, "/", i); }

// Sealed (true) or plain (false) values.
class BadDiskTest : public ::testing::TestWithParam<bool> {
 protected:
  BadDiskTest() : keys_(KeyRing::Generate().value()) {
    options_.create_if_missing = true;
    options_.env = &env_;
    options_.write_buffer_size = 256 << 10;
    options_.compression = leveldb::kNoCompression;
    Open();
  }

  void Open() {
    db_.reset();
    std::vector<std::string> paths;
    for (int i = 0; i < kShards; ++i) {
      paths.push_back(dir_.Join(absl::StrCat("shard", i)));
    }
    ShardingDbBuilder builder;
    builder.WithDbPaths(paths).WithOptions(options_).WithShardingFunc(
        ByFirstDigit());
    if (GetParam()) builder.WithEncryption(keys_);
    ASSERT_OK_AND_ASSIGN(db_, builder.Build());
  }

  Status Put(int shard, int i, bool sync = false) {
    WriteOptions options;
    options.sync = sync;
    return db_->Put(options, Key(shard, i), RandomBytes(i, 1000));
  }

  // Entries 0 to last - 1 are in the shard.
  void ExpectThere(int shard, int last) {
    for (int i = 0; i < last; ++i) {
      std::string value;
      EXPECT_OK(db_->Get(ReadOptions(), Key(shard, i), &value));
      EXPECT_TRUE(value == RandomBytes(i, 1000)) << Key(shard, i);
    }
  }

  // Writes to a shard until it refuses; returns how many it took.
  int Fill(int shard, Status* status) {
    int i = 0;
    while ((*status = Put(shard, i)).ok() && i < 20000) ++i;
    return i;
  }

  const TempDir dir_;
  const std::shared_ptr<const Aead> keys_;
  FaultInjectionEnv env_{UnsyncedEnv()};
  leveldb::Options options_;
  std::unique_ptr<ShardingDb> db_;
};

TEST_P(BadDiskTest, AFullDiskIsSaidAndLosesNothing) {
  env_.SetFreeSpace(3 << 20);
  Status status;
  const int written = Fill(1, &status);
  EXPECT_THAT(status,
              LevelDbStatusIs(LevelDbCode::kIOError,
                              AllOf(StartsWith("shard 1: "),
                                    HasSubstr("No space left on device"))));
  EXPECT_GT(written, 500);
  ExpectThere(1, written);
  EXPECT_THAT(Put(1, 0),
              LevelDbStatusIs(LevelDbCode::kIOError, StartsWith("shard 1: ")));
  env_.SetUnlimitedSpace();
  Open();
  ExpectThere(1, written);
  EXPECT_OK(Put(1, written));
  ExpectThere(1, written + 1);
}

TEST_P(BadDiskTest, AFullDiskUnderManyThreadsLosesNothing) {
  env_.SetFreeSpace(3 << 20);
  std::vector<int> written(kShards, 0);
  RunThreads(kShards, [&](int shard) {
    Status status;
    written[shard] = Fill(shard, &status);
    EXPECT_THAT(status,
                LevelDbStatusIs(LevelDbCode::kIOError,
                                StartsWith(absl::StrCat("shard ", shard))));
  });
  for (int shard = 0; shard < kShards; ++shard) {
    ExpectThere(shard, written[shard]);
  }
  env_.SetUnlimitedSpace();
  Open();
  for (int shard = 0; shard < kShards; ++shard) {
    ExpectThere(shard, written[shard]);
    EXPECT_OK(Put(shard, written[shard]));
  }
}

TEST_P(BadDiskTest, OtherShardsGoOn) {
  ASSERT_OK(Put(0, 0));
  ASSERT_OK(Put(1, 0));
  env_.AddFault({{FileOperation::kAppend}, "*/shard1/*"});
  EXPECT_THAT(Put(1, 1),
              LevelDbStatusIs(LevelDbCode::kIOError, StartsWith("shard 1: ")));
  EXPECT_OK(Put(0, 1));
  EXPECT_OK(Put(2, 0));
  ExpectThere(0, 2);
  ExpectThere(1, 1);
  ExpectThere(2, 1);
}

TEST_P(BadDiskTest, ABatchNamesTheLowestShardThatFailed) {
  env_.AddFault({{FileOperation::kAppend}, "*/shard[12]/*.log"});
  leveldb::WriteBatch batch;
  for (int shard = kShards - 1; shard >= 0; --shard) {
    batch.Put(Key(shard, 0), "1");
  }
  EXPECT_THAT(db_->Write(WriteOptions(), &batch),
              LevelDbStatusIs(
                  LevelDbCode::kIOError,
                  AllOf(StartsWith("shard 1: "), HasSubstr("injected fault"))));
}

TEST_P(BadDiskTest, AFailedSyncIsAnErrorOfTheWrite) {
  ASSERT_OK(Put(2, 0, /*sync=*/true));
  const int fault = env_.AddFault({{FileOperation::kSync}, "*/shard2/*.log"});
  EXPECT_THAT(Put(2, 1, /*sync=*/true),
              LevelDbStatusIs(
                  LevelDbCode::kIOError,
                  AllOf(StartsWith("shard 2: "), HasSubstr("injected fault"))));
  EXPECT_EQ(env_.Failures(fault), 1u);
  env_.RemoveAllFaults();
  Open();
  ExpectThere(2, 1);
}

TEST_P(BadDiskTest, AFailedReadIsNotAMissingKey) {
  for (int shard = 0; shard < kShards; ++shard) {
    for (int i = 0; i < 20; ++i) ASSERT_OK(Put(shard, i));
  }
  db_->CompactRange(nullptr, nullptr);
  {
    Open();
    const int fault = env_.AddFault(
        {{FileOperation::kOpen, FileOperation::kRead}, "*/shard1/*.ldb"});
    const auto failed = LevelDbStatusIs(
        LevelDbCode::kIOError,
        AllOf(StartsWith("shard 1: "), HasSubstr("injected fault")));
    std::string value;
    bool found = false;
    EXPECT_THAT(db_->Get(ReadOptions(), Key(1, 3), &value), failed);
    EXPECT_THAT(db_->Has(ReadOptions(), Key(1, 3), &found), failed);
    std::vector<std::string> values;
    EXPECT_THAT(db_->MultiGet(ReadOptions(), {Key(0, 3), Key(1, 3), Key(2, 3)},
                              &values),
                ::testing::ElementsAre(IsOk(), failed, IsOk()));
    EXPECT_EQ(values[1], "");
    EXPECT_TRUE(values[2] == RandomBytes(3, 1000));
    EXPECT_GE(env_.Failures(fault), 1u);
    env_.RemoveFault(fault);
  }
}

TEST_P(BadDiskTest, AScanDoesNotSilentlyLackAShard) {
  for (int shard = 0; shard < kShards; ++shard) {
    for (int i = 0; i < 20; ++i) ASSERT_OK(Put(shard, i));
  }
  db_->CompactRange(nullptr, nullptr);
  Open();
  env_.AddFault(
      {{FileOperation::kRead, FileOperation::kOpen}, "*/shard1/*.ldb"});
  const std::unique_ptr<leveldb::Iterator> iterators[] = {
      std::unique_ptr<leveldb::Iterator>(db_->NewIterator(ReadOptions())),
      db_->NewRangeIterator(ReadOptions(), {"0", "3"})};
  for (const auto& iterator : iterators) {
    for (const bool forward : {true, false}) {
      int entries = 0;
      if (forward) {
        for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
          ++entries;
        }
      } else {
        for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
          ++entries;
        }
      }
      EXPECT_LT(entries, 20 * kShards);
      EXPECT_THAT(iterator->status(),
                  LevelDbStatusIs(LevelDbCode::kIOError,
                                  AllOf(StartsWith("shard 1: "),
                                        HasSubstr("injected fault"))));
    }
  }
}

TEST_P(BadDiskTest, ADamagedBlockIsCorruption) {
  for (int i = 0; i < 100; ++i) ASSERT_OK(Put(1, i));
  db_->CompactRange(nullptr, nullptr);
  db_.reset();
  // One byte in the middle of each table.
  std::vector<std::string> names;
  ASSERT_OK(UnsyncedEnv()->GetChildren(dir_.Join("shard1"), &names));
  for (const std::string& name : names) {
    if (name.find(".ldb") == std::string::npos) continue;
    const std::string path = absl::StrCat(dir_.Join("shard1"), "/", name);
    std::string contents;
    ASSERT_OK(leveldb::ReadFileToString(UnsyncedEnv(), path, &contents));
    contents[contents.size() / 2] ^= 1;
    ASSERT_OK(leveldb::WriteStringToFile(UnsyncedEnv(), contents, path));
  }
  Open();
  ReadOptions options;
  options.verify_checksums = true;
  int damaged = 0;
  for (int i = 0; i < 100; ++i) {
    std::string value;
    const Status status = db_->Get(options, Key(1, i), &value);
    if (status.ok()) {
      EXPECT_TRUE(value == RandomBytes(i, 1000));
      continue;
    }
    EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kCorruption,
                                        StartsWith("shard 1: ")));
    ++damaged;
  }
  EXPECT_GE(damaged, 1);
  EXPECT_LE(damaged, 10);
}

TEST_P(BadDiskTest, AFailingCompactionLosesNothing) {
  env_.AddFault({{FileOperation::kAppend, FileOperation::kSync},
                 "*/shard0/*.ldb",
                 /*skip=*/3});
  Status status;
  const int written = Fill(0, &status);
  EXPECT_THAT(status,
              LevelDbStatusIs(LevelDbCode::kIOError, StartsWith("shard 0: ")));
  ExpectThere(0, written);
  EXPECT_OK(Put(1, 0));
  env_.RemoveAllFaults();
  Open();
  ExpectThere(0, written);
}

TEST_P(BadDiskTest, ClosingOnAFullDisk) {
  for (int i = 0; i < 10; ++i) ASSERT_OK(Put(0, i));
  env_.SetFreeSpace(0);
  EXPECT_OK(db_->Close());
  env_.SetUnlimitedSpace();
  Open();
  ExpectThere(0, 10);
}

INSTANTIATE_TEST_SUITE_P(Values, BadDiskTest, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Sealed" : "Plain";
                         });

}  // namespace
}  // namespace shardingdb
