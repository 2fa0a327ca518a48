// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/open_set.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "reshard/generated_set.h"
#include "reshard/test_rings.h"
#include "shardingdb/applied_lsn.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/no_threads.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OpenSetTest : public ::testing::Test {
 protected:
  OpenSetTest() {
    WriteSet({a_}, JumpSharding(), GenerateEntries(1, 1000));
    WriteSet({b_}, JumpSharding(), GenerateEntries(2, 1000));
  }

  std::string FileWith(const std::string& folder, const std::string& part) {
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const std::string name = file.path().filename().string();
      if (name.find(part) != std::string::npos) return file.path().string();
    }
    ADD_FAILURE() << "no " << part << " in " << folder;
    return "";
  }
  void FlipBit(const std::string& path, int at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const char byte = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(byte ^ 4));
  }

  TempDir dir_;
  const std::string a_ = dir_.Join("a");
  const std::string b_ = dir_.Join("b");
  OpenSet set_{leveldb::Env::Default(), 3};
};

TEST_F(OpenSetTest, KnowsWhatIsOpen) {
  ASSERT_OK(set_.OpenToRead(2, b_));
  ASSERT_OK(set_.OpenToWrite(0, a_, OpenSet::WriteMode()));
  EXPECT_TRUE(set_.is_open(0));
  EXPECT_FALSE(set_.is_open(1));
  EXPECT_THAT(set_.numbers(), ElementsAre(0, 2));
  ASSERT_EQ(set_.sources().size(), 2);
  EXPECT_EQ(set_.sources()[1].folder, b_);
  EXPECT_EQ(set_.sources()[1].db, set_.db(2));
  EXPECT_EQ(set_.ApproximateSizeOfAll(),
            set_.ApproximateSize(0) + set_.ApproximateSize(2));
  EXPECT_OK(set_.Close());
  EXPECT_FALSE(set_.is_open(0));
}

// Batches may be there in some shards only.
TEST_F(OpenSetTest, RefusesWhatWaitsForItsCommitLog) {
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<DbHandle> shard,
                         OpenLevelDb(a_, ShardOptions()));
    ASSERT_OK(shard->Put(
        leveldb::WriteOptions(), AppliedLsnKey(),
        EncodeAppliedLsn({std::string(16, 'i'), 7, /*closed=*/false})));
  }
  const auto refused =
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr(a_), HasSubstr("WithCommitLog")));
  EXPECT_THAT(set_.OpenToRead(0, a_), refused);
  EXPECT_THAT(set_.OpenToWrite(0, a_, OpenSet::WriteMode()), refused);
  EXPECT_FALSE(set_.is_open(0));
}

TEST_F(OpenSetTest, ValuesAreOpenedAndSealed) {
  const TestRings rings;
  OpenSet::WriteMode mode;
  mode.create = true;
  mode.compress = false;
  ASSERT_OK(set_.OpenToWrite(0, dir_.Join("new"), mode));
  ASSERT_OK(set_.OpenValues(0, nullptr));
  ASSERT_OK(set_.db(0)->Put(leveldb::WriteOptions(), "plain", "value"));
  ASSERT_OK(set_.OpenValues(0, rings.Codec("ring").aead));
  ASSERT_OK(set_.db(0)->Put(leveldb::WriteOptions(), "sealed", "value"));
  std::string value;
  EXPECT_OK(set_.db(0)->Get(leveldb::ReadOptions(), "sealed", &value));
  EXPECT_EQ(value, "value");
  EXPECT_THAT(set_.db(0)->Get(leveldb::ReadOptions(), "plain", &value),
              LevelDbStatusIs(LevelDbCode::kCorruption));
  ASSERT_OK(set_.Close());
  const Entries stored = ReadFolder(dir_.Join("new"));
  EXPECT_EQ(stored.at("plain"), "value");
  EXPECT_EQ(rings.Opened("sealed", stored.at("sealed")), "value");
}

TEST_F(OpenSetTest, OpeningToReadChangesNothingAndRefusesWrites) {
  const auto before = FilesOf(a_);
  ASSERT_OK(set_.OpenToRead(0, a_));
  EXPECT_THAT(set_.db(0)->Put(leveldb::WriteOptions(), "key", "value"),
              LevelDbStatusIs(LevelDbCode::kNotSupported));
  ASSERT_OK(set_.Close());
  EXPECT_EQ(FilesOf(a_), before);
}

TEST_F(OpenSetTest, MakesADatabaseOnlyWhenTold) {
  EXPECT_THAT(
      set_.OpenToWrite(0, dir_.Join("new"), OpenSet::WriteMode()),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr(dir_.Join("new"))));
  OpenSet::WriteMode create;
  create.create = true;
  EXPECT_OK(set_.OpenToWrite(0, dir_.Join("new"), create));
}

TEST_F(OpenSetTest, RefusesWhatIsOpenElsewhere) {
  OpenSet other(leveldb::Env::Default(), 1);
  ASSERT_OK(other.OpenToWrite(0, a_, OpenSet::WriteMode()));
  EXPECT_THAT(set_.OpenToRead(0, a_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(a_), HasSubstr("lock"))));
  EXPECT_THAT(set_.OpenToWrite(0, a_, OpenSet::WriteMode()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(a_), HasSubstr("lock"))));
}

class ReverseComparator : public leveldb::Comparator {
 public:
  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    return b.compare(a);
  }
  const char* Name() const override { return "test.ReverseComparator"; }
  void FindShortestSeparator(std::string*,
                             const leveldb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

TEST_F(OpenSetTest, RefusesAnotherComparatorAndNamesBoth) {
  const ReverseComparator reverse;
  leveldb::Options options;
  options.create_if_missing = true;
  options.comparator = &reverse;
  leveldb::DB* db = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, dir_.Join("reverse"), &db));
  delete db;
  for (bool to_read : {false, true}) {
    const absl::Status status =
        to_read
            ? set_.OpenToRead(0, dir_.Join("reverse"))
            : set_.OpenToWrite(0, dir_.Join("reverse"), OpenSet::WriteMode());
    EXPECT_THAT(status,
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr("test.ReverseComparator"),
                               HasSubstr("leveldb.BytewiseComparator"))));
  }
}

TEST_F(OpenSetTest, NamesADamagedLog) {
  const std::string log = FileWith(a_, ".log");
  ASSERT_GT(std::filesystem::file_size(log), 100);
  FlipBit(log, 50);
  EXPECT_THAT(set_.OpenToRead(0, a_),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(log)));
  EXPECT_THAT(set_.OpenToWrite(0, a_, OpenSet::WriteMode()),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(log)));
}

TEST_F(OpenSetTest, NamesAMissingLog) {
  const std::string log = FileWith(a_, ".log");
  std::filesystem::remove(log);
  OpenSet::WriteMode accept_torn_log;
  accept_torn_log.accept_torn_log = true;
  for (const absl::Status& status :
       {set_.OpenToRead(0, a_), set_.OpenToWrite(0, a_, OpenSet::WriteMode()),
        set_.OpenToWrite(0, a_, accept_torn_log)}) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss,
                                 HasSubstr(log + ": missing log")));
  }
}

TEST_F(OpenSetTest, ATornLogIsAcceptedWhenTold) {
  FlipBit(FileWith(a_, ".log"), 50);
  OpenSet::WriteMode mode;
  mode.accept_torn_log = true;
  EXPECT_OK(set_.OpenToWrite(0, a_, mode));
}

TEST_F(OpenSetTest, NamesTheFolderOfADamagedManifest) {
  FlipBit(FileWith(a_, "MANIFEST"), 20);
  EXPECT_THAT(set_.OpenToRead(0, a_),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(a_)));
}

TEST_F(OpenSetTest, NamesAMissingTable) {
  std::filesystem::remove(FileWith(a_, ".ldb"));
  EXPECT_THAT(set_.OpenToRead(0, a_),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("missing files"), HasSubstr(".ldb"))));
}

// LevelDB would end the process when it starts a flush.
TEST_F(OpenSetTest, WithoutAnyThreadNothingIsOpened) {
  const NoThreads no_threads;
  OpenSet set(leveldb::Env::Default(), 1);
  EXPECT_THAT(set.OpenToWrite(0, a_, OpenSet::WriteMode()),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr(a_), HasSubstr("ulimit -u"))));
  EXPECT_THAT(
      set.OpenToRead(0, a_),
      StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("ulimit -u")));
}

}  // namespace
}  // namespace shardingdb
