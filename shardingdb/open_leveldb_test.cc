// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// OpenLevelDb: each of its errors, and what is on disk afterwards.

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The names of all files and folders below `folder`, sorted.
std::vector<std::string> Tree(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    names.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Refuses to make files whose name contains `name`.
class RefusingEnv final : public leveldb::EnvWrapper {
 public:
  RefusingEnv(std::string name, std::string error)
      : leveldb::EnvWrapper(leveldb::Env::Default()),
        name_(std::move(name)),
        error_(std::move(error)) {}

  leveldb::Status NewWritableFile(const std::string& file,
                                  leveldb::WritableFile** result) override {
    if (absl::StrContains(file, name_)) {
      return leveldb::Status::IOError(file, error_);
    }
    return target()->NewWritableFile(file, result);
  }

 private:
  const std::string name_;
  const std::string error_;
};

// Does not see a database the `blind`-th time that somebody looks for it.
class BlindEnv final : public leveldb::EnvWrapper {
 public:
  explicit BlindEnv(int blind)
      : leveldb::EnvWrapper(leveldb::Env::Default()), blind_(blind) {}

  bool FileExists(const std::string& file) override {
    if (absl::EndsWith(file, "/CURRENT") && looks_++ == blind_) return false;
    return target()->FileExists(file);
  }

  bool was_blind() const { return looks_ > blind_; }

 private:
  const int blind_;
  std::atomic<int> looks_{0};
};

class OtherComparator final : public leveldb::Comparator {
 public:
  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    return b.compare(a);
  }
  const char* Name() const override { return "test.Other"; }
  void FindShortestSeparator(std::string*,
                             const leveldb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

class OpenLevelDbTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<DbHandle>> Open(const std::string& path) {
    return OpenLevelDb(path, options_);
  }

  // Makes a database with one entry.
  void Make(const std::string& path) {
    auto db = OpenLevelDb(path, ShardOptions());
    ASSERT_THAT(db, IsOk());
    ASSERT_OK((*db)->Put(leveldb::WriteOptions(), "a", "1"));
    ASSERT_OK((*db)->Close());
  }

  void ExpectIntact(const std::string& path) {
    auto db = OpenLevelDb(path, ShardOptions());
    ASSERT_THAT(db, IsOk());
    std::string value;
    EXPECT_OK((*db)->Get(leveldb::ReadOptions(), "a", &value));
    EXPECT_EQ(value, "1");
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("db");
  ShardOptions options_;
};

TEST_F(OpenLevelDbTest, MakesADatabaseAndItsParents) {
  const std::string path = dir_.Join("x/y//z/");
  Make(path);
  ExpectIntact(path);
  ExpectIntact(dir_.Join("x/y/z"));
}

TEST_F(OpenLevelDbTest, ARelativePathOutlivesAChangeOfFolder) {
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(dir_.path());
  auto db = OpenLevelDb("relative", options_);
  std::filesystem::current_path(before);
  ASSERT_THAT(db, IsOk());
  const leveldb::WriteOptions write;
  ASSERT_OK((*db)->Put(write, "a", "1"));
  (*db)->CompactRange(nullptr, nullptr);
  EXPECT_OK((*db)->Close());
  ExpectIntact(dir_.Join("relative"));
}

TEST_F(OpenLevelDbTest, AnEmptyPath) {
  EXPECT_THAT(Open(""),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("path")));
}

TEST_F(OpenLevelDbTest, AZeroByteInThePath) {
  EXPECT_THAT(Open(path_ + std::string("\0x", 2)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(path_)));
  EXPECT_THAT(Tree(dir_.path()), IsEmpty());
}

TEST_F(OpenLevelDbTest, NoComparator) {
  options_.leveldb.comparator = nullptr;
  EXPECT_THAT(Open(path_), StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("comparator")));
  EXPECT_THAT(Tree(dir_.path()), IsEmpty());
}

// LevelDB would write tables that it cannot read.
TEST_F(OpenLevelDbTest, NoSuchCompression) {
  ShardOptions options;
  options.leveldb.create_if_missing = true;
  options.leveldb.compression = static_cast<leveldb::CompressionType>(99);
  EXPECT_THAT(OpenLevelDb(path_, options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr(path_), HasSubstr("99"))));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(OpenLevelDbTest, NotThere) {
  options_.leveldb.create_if_missing = false;
  EXPECT_THAT(Open(path_),
              StatusIs(absl::StatusCode::kNotFound, StartsWith(path_)));
  EXPECT_THAT(Open(dir_.path()),
              StatusIs(absl::StatusCode::kNotFound, StartsWith(dir_.path())));
  EXPECT_THAT(Tree(dir_.path()), IsEmpty());
}

TEST_F(OpenLevelDbTest, ThereAlready) {
  Make(path_);
  options_.leveldb.error_if_exists = true;
  EXPECT_THAT(Open(path_),
              StatusIs(absl::StatusCode::kAlreadyExists, StartsWith(path_)));
  ExpectIntact(path_);
}

TEST_F(OpenLevelDbTest, AnotherComparator) {
  Make(path_);
  const OtherComparator other;
  options_.leveldb.comparator = &other;
  EXPECT_THAT(Open(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(StartsWith(path_), HasSubstr("comparator"))));
  ExpectIntact(path_);
}

TEST_F(OpenLevelDbTest, AFile) {
  std::ofstream(path_) << "text";
  EXPECT_THAT(Open(path_), StatusIs(absl::StatusCode::kFailedPrecondition,
                                    path_ + ": Not a directory"));
  EXPECT_THAT(Open(path_ + "/below"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       path_ + "/below: Not a directory"));
  options_.leveldb.create_if_missing = false;
  EXPECT_THAT(Open(path_), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(Tree(dir_.path()), ElementsAre("db"));
}

TEST_F(OpenLevelDbTest, AnUnfinishedReshard) {
  Make(path_);
  std::ofstream(path_ + "/RESHARD") << "-i a -o b";
  EXPECT_THAT(
      Open(path_),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(StartsWith(path_),
                     HasSubstr("an unfinished reshard: run reshard again with "
                               "the same arguments to finish it"),
                     HasSubstr(path_ + "/RESHARD says which"))));
  options_.allow_unfinished_reshard = true;
  EXPECT_THAT(Open(path_), IsOk());
}

TEST_F(OpenLevelDbTest, AnUnfinishedReshardThatHasNoDatabaseYet) {
  std::filesystem::create_directory(path_);
  std::ofstream(path_ + "/RESHARD") << "-i a -o b";
  EXPECT_THAT(Open(path_), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(Tree(path_), ElementsAre("RESHARD"));
}

// Takes root's right to read and write everything from this thread for a while.
class WithoutRootsRights {
 public:
  WithoutRootsRights() {
    EXPECT_EQ(::syscall(SYS_capget, &header_, before_), 0);
    __user_cap_data_struct without[2] = {before_[0], before_[1]};
    without[0].effective &=
        ~(1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH);
    EXPECT_EQ(::syscall(SYS_capset, &header_, without), 0);
  }
  ~WithoutRootsRights() {
    EXPECT_EQ(::syscall(SYS_capset, &header_, before_), 0);
  }

 private:
  __user_cap_header_struct header_ = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct before_[2] = {};
};

TEST_F(OpenLevelDbTest, NoPermissionToMakeIt) {
  std::filesystem::create_directory(path_);
  ASSERT_EQ(::chmod(path_.c_str(), 0500), 0);
  {
    const WithoutRootsRights without;
    for (const std::string& path : {path_, path_ + "/new/er"}) {
      EXPECT_THAT(Open(path), StatusIs(absl::StatusCode::kPermissionDenied,
                                       StartsWith(path)));
    }
  }
  ASSERT_EQ(::chmod(path_.c_str(), 0700), 0);
  EXPECT_THAT(Tree(path_), IsEmpty());
}

TEST_F(OpenLevelDbTest, NoPermissionToReadIt) {
  Make(path_);
  ASSERT_EQ(::chmod(path_.c_str(), 0), 0);
  {
    const WithoutRootsRights without;
    EXPECT_THAT(Open(path_), StatusIs(absl::StatusCode::kPermissionDenied,
                                      StartsWith(path_)));
  }
  ASSERT_EQ(::chmod(path_.c_str(), 0700), 0);
  ExpectIntact(path_);
}

TEST_F(OpenLevelDbTest, NoPermissionToWriteIt) {
  Make(path_);
  RefusingEnv env("MANIFEST", std::strerror(EACCES));
  options_.leveldb.env = &env;
  EXPECT_THAT(Open(path_),
              StatusIs(absl::StatusCode::kPermissionDenied, StartsWith(path_)));
  ExpectIntact(path_);
}

// Writing to /dev/full fails as on a full disk.
TEST_F(OpenLevelDbTest, AFullDisk) {
  std::filesystem::create_directory(path_);
  std::filesystem::create_symlink("/dev/full", path_ + "/MANIFEST-000001");
  EXPECT_THAT(Open(path_),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(StartsWith(path_), HasSubstr("No space left"))));
}

TEST_F(OpenLevelDbTest, WhatIsMadeByAFailedAttemptGoes) {
  for (const char* file : {"MANIFEST", ".dbtmp", ".log"}) {
    RefusingEnv env(file, std::strerror(ENOSPC));
    options_.leveldb.env = &env;
    EXPECT_THAT(Open(dir_.Join("x/y/z")),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         StartsWith(dir_.Join("x/y/z"))));
    EXPECT_THAT(Tree(dir_.path()), IsEmpty()) << file;
  }
}

TEST_F(OpenLevelDbTest, AFailedAttemptLeavesOtherFilesAlone) {
  std::filesystem::create_directory(path_);
  std::ofstream(path_ + "/notes.txt") << "mine";
  std::ofstream(path_ + "/LOG") << "old";
  RefusingEnv env(".log", "broken");
  options_.leveldb.env = &env;
  EXPECT_THAT(Open(path_),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(StartsWith(path_), HasSubstr("broken"))));
  EXPECT_THAT(Tree(path_), ElementsAre("LOCK", "LOG", "notes.txt"));
  EXPECT_EQ(std::filesystem::file_size(path_ + "/LOG"), 3);
}

TEST_F(OpenLevelDbTest, AFailedAttemptLeavesADatabaseAlone) {
  Make(path_);
  RefusingEnv env("MANIFEST", "broken");
  options_.leveldb.env = &env;
  EXPECT_THAT(Open(path_), StatusIs(absl::StatusCode::kUnavailable));
  ExpectIntact(path_);
}

// Taken for a new database, it would lose all its tables.
TEST_F(OpenLevelDbTest, ADatabaseWithoutCurrentIsNotANewOne) {
  Make(path_);
  std::filesystem::remove(path_ + "/CURRENT");
  const std::vector<std::string> before = Tree(path_);
  EXPECT_THAT(Open(path_),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(StartsWith(path_), HasSubstr("CURRENT"))));
  EXPECT_EQ(Tree(path_), before);
}

TEST_F(OpenLevelDbTest, ADatabaseThatIsNotSeenOnceIsNotWiped) {
  Make(path_);
  for (int blind = 0;; ++blind) {
    BlindEnv env(blind);
    options_.leveldb.env = &env;
    const absl::Status status = Open(path_).status();
    if (!env.was_blind()) {
      EXPECT_GT(blind, 0);
      break;
    }
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnavailable,
                                 AllOf(StartsWith(path_), HasSubstr("seen"))));
    ExpectIntact(path_);
  }
}

// The process may have been killed before it had written CURRENT.
TEST_F(OpenLevelDbTest, AnAttemptThatWasInterruptedIsMadeAgain) {
  std::filesystem::create_directory(path_);
  std::ofstream(path_ + "/MANIFEST-000001") << "half";
  std::ofstream(path_ + "/LOCK");
  std::ofstream(path_ + "/000003.log");
  Make(path_);
  ExpectIntact(path_);
}

TEST_F(OpenLevelDbTest, InMemory) {
  const std::unique_ptr<leveldb::Env> memory(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  options_.leveldb.env = memory.get();
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db, Open(path_));
    EXPECT_OK(db->Put(leveldb::WriteOptions(), "a", "1"));
    EXPECT_THAT(Open(path_), StatusIs(absl::StatusCode::kFailedPrecondition));
  }
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db, Open(path_));
  std::string value;
  EXPECT_OK(db->Get(leveldb::ReadOptions(), "a", &value));
  EXPECT_THAT(Tree(dir_.path()), IsEmpty());
}

}  // namespace
}  // namespace shardingdb
