// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A repair keeps the newest version of each key, and nothing that was deleted
// (patch 0014).

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/iterator.h"
#include "testing/comparators.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"
#include "third_party/leveldb/files.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Lt;
using ::testing::SizeIs;
using Entries = std::map<std::string, std::string>;

class RepairTest : public ::testing::Test {
 protected:
  RepairTest() : env_(memory_.get()), db_(&env_) {}

  leveldb::Status Repair() {
    db_.Close();
    return leveldb::RepairDB("/db", *db_.options());
  }

  // Puts and deletes at random, with several tables in several levels.
  void FillAtRandom(uint64_t seed, int operations) {
    std::mt19937_64 random(seed);
    ASSERT_OK(db_.Open());
    for (int i = 0; i < operations; ++i) {
      const std::string key = absl::StrCat("key", random() % 1500);
      if (random() % 5 == 0) {
        ASSERT_OK(db_->Delete(leveldb::WriteOptions(), key));
        expected_.erase(key);
        deleted_.insert(key);
      } else {
        expected_[key] = absl::StrCat(i, std::string(random() % 500, 'v'));
        ASSERT_OK(db_.Put(key, expected_[key]));
      }
      if (random() % 3000 == 0) db_->CompactRange(nullptr, nullptr);
    }
  }

  // Opens the database, and looks for just these entries.
  void ExpectFound(const Entries& expected) {
    ASSERT_EQ(Scan(), expected);
    // A single read takes the first version that it meets.
    for (const auto& [key, value] : expected) ASSERT_EQ(db_.Get(key), value);
    for (const std::string& key : deleted_) {
      if (expected.count(key) == 0) {
        ASSERT_EQ(db_.Get(key), "NotFound: ") << key;
      }
    }
  }

  // What a scan of the database, which it opens, finds.
  Entries Scan() {
    const leveldb::Status opened = db_.Open();
    EXPECT_OK(opened);
    if (!opened.ok()) return {};
    leveldb::ReadOptions read;
    read.verify_checksums = true;
    const std::unique_ptr<leveldb::Iterator> iterator(db_->NewIterator(read));
    Entries entries;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      entries[iterator->key().ToString()] = iterator->value().ToString();
    }
    EXPECT_OK(iterator->status());
    return entries;
  }

  void WriteOut() {
    const leveldb::Slice begin("~1"), end("~2");
    db_->CompactRange(&begin, &end);
  }

  void RemoveDescriptor() {
    for (const std::string& name :
         NamesWith("MANIFEST", ReadFiles(memory_.get()))) {
      ASSERT_OK(memory_->RemoveFile("/db/" + name));
    }
    ASSERT_OK(memory_->RemoveFile("/db/CURRENT"));
  }

  const std::unique_ptr<leveldb::Env> memory_{
      leveldb::NewMemEnv(leveldb::Env::Default())};
  FaultInjectionEnv env_;
  Database db_;
  Entries expected_;
  std::set<std::string> deleted_;
};

TEST_F(RepairTest, OfAHealthyDatabaseChangesNothing) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    db_.Close();
    ASSERT_OK(leveldb::DestroyDB("/db", *db_.options()));
    expected_.clear();
    db_.options()->reuse_logs = seed % 2 == 1;
    ASSERT_NO_FATAL_FAILURE(FillAtRandom(seed, 6000));
    ASSERT_OK(Repair());
    ASSERT_NO_FATAL_FAILURE(ExpectFound(expected_)) << seed;
    ASSERT_OK(Repair());
    ASSERT_OK(Repair());
    ASSERT_NO_FATAL_FAILURE(ExpectFound(expected_)) << seed;
    // And it goes on.
    ASSERT_NO_FATAL_FAILURE(FillAtRandom(seed + 100, 500));
    ASSERT_NO_FATAL_FAILURE(ExpectFound(expected_)) << seed;
  }
}

// The table of the highest number holds an older value, and the one with the
// deletion has a lower number.
TEST_F(RepairTest, KeepsTheNewestOfEachKey) {
  ASSERT_OK(db_.Open());
  for (const char* value : {"1", "2"}) {
    for (const char* key : {"a", "deleted", "key"}) {
      ASSERT_OK(db_.Put(key, value));
    }
    WriteOut();  // to levels 2 and 1
  }
  ASSERT_OK(db_->Delete(leveldb::WriteOptions(), "deleted"));
  deleted_ = {"deleted"};
  ASSERT_OK(db_.Put("key", "3"));
  WriteOut();  // to level 0
  const leveldb::Slice a("a");
  db_->CompactRange(&a, &a);  // of levels 1 and 2
  const Entries expected = {{"a", "2"}, {"key", "3"}};
  ASSERT_NO_FATAL_FAILURE(ExpectFound(expected));
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(Repair());
    ASSERT_NO_FATAL_FAILURE(ExpectFound(expected));
  }
}

TEST_F(RepairTest, NeedsNoDescriptor) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    db_.Close();
    ASSERT_OK(leveldb::DestroyDB("/db", *db_.options()));
    expected_.clear();
    ASSERT_NO_FATAL_FAILURE(FillAtRandom(seed, 6000));
    db_.Close();
    RemoveDescriptor();
    ASSERT_OK(Repair());
    ASSERT_NO_FATAL_FAILURE(ExpectFound(expected_)) << seed;
  }
}

// What it writes is more than one table.
TEST_F(RepairTest, MayBeLarge) {
  std::mt19937_64 random(1);
  ASSERT_OK(db_.Open());
  for (int i = 0; i < 4000; ++i) {
    const std::string key = absl::StrCat("key", random() % 5000);
    expected_[key] = absl::StrCat(i, std::string(1000, 'v'));
    ASSERT_OK(db_.Put(key, expected_[key]));
  }
  ASSERT_OK(Repair());
  ASSERT_NO_FATAL_FAILURE(ExpectFound(expected_));
  std::string tables;
  ASSERT_TRUE(db_->GetProperty("leveldb.num-files-at-level1", &tables));
  EXPECT_GE(std::stoi(tables), 3);
}

// An iterator keeps the table with an older value open, but not the one that
// says that it is deleted.
TEST_F(RepairTest, LeavesOutWhatIsObsolete) {
  ASSERT_OK(db_.Open());
  ASSERT_OK(db_.Put("key", "1"));
  ASSERT_OK(db_.Put("other", "1"));
  db_->CompactRange(nullptr, nullptr);
  std::unique_ptr<leveldb::Iterator> iterator(
      db_->NewIterator(leveldb::ReadOptions()));
  ASSERT_OK(db_->Delete(leveldb::WriteOptions(), "key"));
  ASSERT_OK(db_.Put("other", "2"));
  db_->CompactRange(nullptr, nullptr);
  iterator.reset();
  db_.Close();
  EXPECT_EQ(NamesWith(".ldb", ReadFiles(memory_.get())).size(), 2);
  ASSERT_OK(Repair());
  deleted_ = {"key"};
  ASSERT_NO_FATAL_FAILURE(ExpectFound({{"other", "2"}}));
}

TEST_F(RepairTest, KeepsWhatIsWholeInADamagedTable) {
  ASSERT_OK(db_.Open());
  for (int i = 0; i < 60; ++i) {
    expected_[absl::StrCat("key", i)] = std::string(700, 'v');
    ASSERT_OK(db_.Put(absl::StrCat("key", i), std::string(700, 'v')));
  }
  WriteOut();
  db_.Close();
  const Files files = ReadFiles(memory_.get());
  const std::string table = NamesWith(".ldb", files).at(0);
  std::string damaged = files.at(table);
  damaged[20000] = 'x';
  ASSERT_OK(leveldb::WriteStringToFile(memory_.get(), damaged, "/db/" + table));
  ASSERT_OK(Repair());
  const Entries entries = Scan();
  EXPECT_THAT(entries, SizeIs(AllOf(Ge(50), Lt(60))));
  EXPECT_THAT(expected_, IsSupersetOf(entries));
  std::string lost;
  EXPECT_OK(
      leveldb::ReadFileToString(memory_.get(), "/db/lost/" + table, &lost));
  EXPECT_EQ(lost, damaged);
}

TEST_F(RepairTest, GivesDamageInALogNoNewChecksum) {
  ASSERT_OK(db_.Open());
  ASSERT_OK(db_.Put("before", "1"));
  ASSERT_OK(db_.Put("damaged", std::string(100, 'v')));
  db_.Close();
  const Files files = ReadFiles(memory_.get());
  const std::string name = NamesWith(".log", files).at(0);
  std::string log = files.at(name);
  log[log.size() - 50] = 'x';
  ASSERT_OK(leveldb::WriteStringToFile(memory_.get(), log, "/db/" + name));
  ASSERT_OK(Repair());
  EXPECT_EQ(Scan(), (Entries{{"before", "1"}}));
}

TEST_F(RepairTest, LosesNothingWhereItFails) {
  ASSERT_NO_FATAL_FAILURE(FillAtRandom(1, 1500));
  db_.Close();
  const Files files = ReadFiles(memory_.get());
  for (const FileOperation operation :
       {FileOperation::kCreate, FileOperation::kAppend, FileOperation::kSync,
        FileOperation::kClose, FileOperation::kRename, FileOperation::kRemove,
        FileOperation::kList, FileOperation::kLock}) {
    bool reached = true;
    for (uint64_t skip = 0; reached; ++skip) {
      const std::unique_ptr<leveldb::Env> memory = EnvWithFiles(files);
      FaultInjectionEnv env(memory.get());
      FileFault fault;
      fault.operations = {operation};
      fault.skip = skip;
      fault.count = 1;
      const int number = env.AddFault(fault);
      db_.options()->env = &env;
      const leveldb::Status status = Repair();
      reached = env.Failures(number) > 0;
      // What is replaced need not get into the folder "lost".
      if (reached && operation != FileOperation::kRename) {
        EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kIOError,
                                            HasSubstr("injected fault")))
            << static_cast<int>(operation) << " " << skip;
      }
      env.RemoveAllFaults();
      ASSERT_NO_FATAL_FAILURE(ExpectFound(expected_))
          << static_cast<int>(operation) << " " << skip;
      db_.Close();
    }
  }
}

TEST_F(RepairTest, RefusesAnotherComparator) {
  ASSERT_NO_FATAL_FAILURE(FillAtRandom(1, 500));
  db_.Close();
  leveldb::Options options = *db_.options();
  options.comparator = ReverseBytewiseComparator();
  EXPECT_THAT(leveldb::RepairDB("/db", options),
              LevelDbStatusIs(LevelDbCode::kInvalidArgument,
                              HasSubstr("does not match")));
  ASSERT_NO_FATAL_FAILURE(ExpectFound(expected_));
}

}  // namespace
}  // namespace shardingdb
