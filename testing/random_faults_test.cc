// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Random operations on a set whose disk fails at random: whatever fails, each
// key reads as one of the values that it may have, and once the disk works
// again the set opens and has everything that was acknowledged.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "crypto/key_ring.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/fault_injection_env.h"
#include "testing/random_bytes.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/unsynced_env.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Status;
using ::leveldb::WriteOptions;

constexpr int kKeys = 60;

class RandomFaults {
 public:
  explicit RandomFaults(uint64_t seed)
      : random_(seed), keys_(KeyRing::Generate().value()), may_hold_(kKeys) {
    // At first a key is not there.
    for (std::vector<int>& numbers : may_hold_) numbers = {0};
  }

  void Round() {
    Open(/*disk_works=*/true);
    if (db_ == nullptr) return;
    CheckAll();
    BreakSomething();
    for (int i = 20 + Below(100); i > 0; --i) {
      switch (Below(6)) {
        case 0:
          WriteBatch();
          break;
        case 1:
          Read(Below(kKeys));
          break;
        case 2:
          if (Below(10) == 0) db_->CompactRange(nullptr, nullptr);
          break;
        default:
          WriteOne(Below(kKeys));
      }
    }
    if (Below(2) == 0) {
      // Fails where the disk does; what matters is what opens afterwards.
      Open(/*disk_works=*/false);
    }
    db_.reset();
    env_.RemoveAllFaults();
    env_.SetUnlimitedSpace();
  }

 private:
  int Below(int limit) { return static_cast<int>(random_() % limit); }

  // A number's value, long enough that logs and tables come and go.
  static std::string Value(int number) {
    return absl::StrCat(number, ":", RandomBytes(number, 3000));
  }

  void Open(bool disk_works) {
    db_.reset();
    leveldb::Options options;
    options.create_if_missing = true;
    options.env = &env_;
    options.write_buffer_size = 128 << 10;
    absl::StatusOr<std::unique_ptr<ShardingDb>> db =
        ShardingDbBuilder()
            .WithDbPaths({dir_.Join("a"), dir_.Join("b"), dir_.Join("c")})
            .WithOptions(options)
            .WithEncryption(keys_)
            .Build();
    if (db.ok()) {
      db_ = *std::move(db);
    } else {
      EXPECT_FALSE(disk_works) << db.status();
    }
  }

  void BreakSomething() {
    static constexpr FileOperation kOperations[] = {
        FileOperation::kAppend, FileOperation::kAppend, FileOperation::kAppend,
        FileOperation::kCreate, FileOperation::kFlush,  FileOperation::kSync,
        FileOperation::kClose,  FileOperation::kRename, FileOperation::kRemove};
    static constexpr const char* kPatterns[] = {
        "", "*.log", "*.log", "*.ldb", "*MANIFEST-*", "*/a/*"};
    if (Below(6) == 0) {
      env_.SetFreeSpace(Below(1 << 20));
      return;
    }
    FileFault fault{{kOperations[Below(std::size(kOperations))]},
                    kPatterns[Below(std::size(kPatterns))]};
    fault.skip = Below(40);
    fault.count = Below(2) == 0 ? 1 : 1000000;
    fault.torn_bytes = Below(2) == 0 ? Below(2000) : 0;
    env_.AddFault(fault);
  }

  // Of a write that was acknowledged, only it is left; of one that failed, it
  // may be there or not.
  void Wrote(int key, int number, const Status& status) {
    if (status.ok()) {
      may_hold_[key] = {number};
    } else {
      EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kIOError));
      may_hold_[key].push_back(number);
    }
  }

  void WriteOne(int key) {
    WriteOptions options;
    options.sync = Below(10) == 0;
    if (Below(5) == 0) {
      Wrote(key, 0, db_->Delete(options, absl::StrCat(key)));
    } else {
      const int number = ++last_number_;
      Wrote(key, number, db_->Put(options, absl::StrCat(key), Value(number)));
    }
  }

  void WriteBatch() {
    leveldb::WriteBatch batch;
    std::map<int, int> written;
    for (int i = 0; i < 8; ++i) {
      const int key = Below(kKeys);
      written[key] = ++last_number_;
      batch.Put(absl::StrCat(key), Value(last_number_));
    }
    const Status status = db_->Write(WriteOptions(), &batch);
    for (const auto& [key, number] : written) Wrote(key, number, status);
  }

  // Which number the key has; an error of the disk is -1.
  int Number(const Status& status, const std::string& value) {
    if (status.IsNotFound()) return 0;
    if (!status.ok()) {
      EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kIOError));
      return -1;
    }
    int number = -1;
    EXPECT_TRUE(absl::SimpleAtoi(value.substr(0, value.find(':')), &number));
    EXPECT_TRUE(value == Value(number));
    return number;
  }

  int Read(int key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), absl::StrCat(key), &value);
    const int number = Number(status, value);
    if (number >= 0) {
      EXPECT_THAT(may_hold_[key], ::testing::Contains(number)) << "key " << key;
    }
    return number;
  }

  // With a disk that works: every key is readable, and what it reads as is what
  // it holds from here on. A scan shows the same.
  void CheckAll() {
    int found = 0;
    for (int key = 0; key < kKeys; ++key) {
      const int number = Read(key);
      EXPECT_GE(number, 0) << "key " << key;
      if (number > 0) ++found;
      may_hold_[key] = {number};
    }
    const std::unique_ptr<leveldb::Iterator> iterator(
        db_->NewIterator(ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      int key = -1;
      ASSERT_TRUE(absl::SimpleAtoi(iterator->key().ToString(), &key));
      EXPECT_EQ(Number(Status::OK(), iterator->value().ToString()),
                may_hold_[key][0]);
      --found;
    }
    EXPECT_OK(iterator->status());
    EXPECT_EQ(found, 0);
  }

  std::mt19937_64 random_;
  const TempDir dir_;
  const std::shared_ptr<const Aead> keys_;
  FaultInjectionEnv env_{UnsyncedEnv()};
  std::unique_ptr<ShardingDb> db_;
  int last_number_ = 0;
  // Of each key the numbers of values that it may have; 0 is none.
  std::vector<std::vector<int>> may_hold_;
};

TEST(RandomFaultsTest, LoseNothingThatWasAcknowledged) {
  uint64_t first_seed = 1;
  const char* chosen = std::getenv("SHARDINGDB_SEED");
  if (chosen != nullptr) {
    ASSERT_TRUE(absl::SimpleAtoi(chosen, &first_seed)) << "SHARDINGDB_SEED";
  }
  for (uint64_t seed = first_seed; seed < first_seed + 5; ++seed) {
    std::cout << "SHARDINGDB_SEED=" << seed << std::endl;
    RandomFaults faults(seed);
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE(absl::StrCat("SHARDINGDB_SEED=", seed, ", round ", round));
      faults.Round();
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace shardingdb
