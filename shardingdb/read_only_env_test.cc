// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/read_only_env.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "testing/folder_look.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class ReadOnlyEnvTest : public ::testing::Test {
 protected:
  ReadOnlyEnvTest() {
    // Tables of several levels, overwritten and deleted entries, and a log.
    const std::unique_ptr<leveldb::DB> db = OpenForWriting();
    const leveldb::WriteOptions write;
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 1000; ++i) {
        EXPECT_OK(db->Put(write, absl::StrCat("key", i),
                          absl::StrCat("value", i, " of round ", round)));
      }
      if (round < 2) db->CompactRange(nullptr, nullptr);
    }
    EXPECT_OK(db->Delete(write, "key7"));
  }

  std::unique_ptr<leveldb::DB> OpenForWriting() {
    leveldb::Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    leveldb::DB* db = nullptr;
    EXPECT_OK(leveldb::DB::Open(options, folder_, &db));
    return std::unique_ptr<leveldb::DB>(db);
  }

  leveldb::Status OpenForReading(ReadOnlyEnv* env,
                                 std::unique_ptr<leveldb::DB>* db) {
    leveldb::Options options;
    options.env = env;
    options.paranoid_checks = true;
    leveldb::DB* raw = nullptr;
    const leveldb::Status status = leveldb::DB::Open(options, folder_, &raw);
    db->reset(raw);
    return status;
  }

  void ExpectAllEntries(leveldb::DB* db) {
    const std::unique_ptr<leveldb::Iterator> iterator(
        db->NewIterator(leveldb::ReadOptions()));
    int entries = 0;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      EXPECT_THAT(iterator->value().ToString(), EndsWith("of round 2"));
      ++entries;
    }
    EXPECT_OK(iterator->status());
    EXPECT_EQ(entries, 999);
  }

  TempDir dir_;
  const std::string folder_ = dir_.Join("db");
};

TEST_F(ReadOnlyEnvTest, ReadsEverythingAndChangesNothing) {
  const auto before = LookAtFolder(folder_);
  {
    ReadOnlyEnv env(leveldb::Env::Default());
    std::unique_ptr<leveldb::DB> db;
    ASSERT_OK(OpenForReading(&env, &db));
    env.Freeze();
    ExpectAllEntries(db.get());
  }
  EXPECT_EQ(LookAtFolder(folder_), before);
}

TEST_F(ReadOnlyEnvTest, KeepsWritesInMemoryUntilItIsFrozen) {
  const auto before = LookAtFolder(folder_);
  {
    ReadOnlyEnv env(leveldb::Env::Default());
    std::unique_ptr<leveldb::DB> db;
    ASSERT_OK(OpenForReading(&env, &db));
    ASSERT_OK(db->Put(leveldb::WriteOptions(), "new", "value"));
    db->CompactRange(nullptr, nullptr);
    std::string value;
    EXPECT_OK(db->Get(leveldb::ReadOptions(), "new", &value));
    EXPECT_EQ(value, "value");
  }
  EXPECT_EQ(LookAtFolder(folder_), before);
}

TEST_F(ReadOnlyEnvTest, ReadsOnWhenFrozenInTheMiddleOfWriting) {
  ReadOnlyEnv env(leveldb::Env::Default());
  std::unique_ptr<leveldb::DB> db;
  ASSERT_OK(OpenForReading(&env, &db));
  env.Freeze();
  db->CompactRange(nullptr, nullptr);  // cannot make a table
  ExpectAllEntries(db.get());
}

TEST_F(ReadOnlyEnvTest, ReadsAFolderWithoutAnyRightToWrite) {
  std::filesystem::permissions(folder_, std::filesystem::perms::owner_read |
                                            std::filesystem::perms::owner_exec);
  {
    ReadOnlyEnv env(leveldb::Env::Default());
    std::unique_ptr<leveldb::DB> db;
    ASSERT_OK(OpenForReading(&env, &db));
    ExpectAllEntries(db.get());
  }
  std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
}

TEST_F(ReadOnlyEnvTest, ReadsACopyWithoutALockFile) {
  std::filesystem::remove(folder_ + "/LOCK");
  ReadOnlyEnv env(leveldb::Env::Default());
  std::unique_ptr<leveldb::DB> db;
  ASSERT_OK(OpenForReading(&env, &db));
  ExpectAllEntries(db.get());
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/LOCK"));
}

TEST_F(ReadOnlyEnvTest, SeveralMayReadAtTheSameTime) {
  ReadOnlyEnv env(leveldb::Env::Default());
  ReadOnlyEnv other_env(leveldb::Env::Default());
  std::unique_ptr<leveldb::DB> db;
  std::unique_ptr<leveldb::DB> other;
  ASSERT_OK(OpenForReading(&env, &db));
  ASSERT_OK(OpenForReading(&other_env, &other));
  ExpectAllEntries(db.get());
  ExpectAllEntries(other.get());
}

TEST_F(ReadOnlyEnvTest, RefusesADatabaseThatThisProcessWrites) {
  const std::unique_ptr<leveldb::DB> writer = OpenForWriting();
  ReadOnlyEnv env(leveldb::Env::Default());
  std::unique_ptr<leveldb::DB> db;
  EXPECT_THAT(OpenForReading(&env, &db),
              LevelDbStatusIs(LevelDbCode::kIOError,
                              AllOf(HasSubstr("lock"), HasSubstr(folder_),
                                    EndsWith("already held by process"))));
  EXPECT_FALSE(AnotherProcessCanLock(folder_));  // which the writer has
}

// Runs `child` in another process and returns what it returns.
template <typename Child>
int InAnotherProcess(const Child& child) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(child());
  int state = 0;
  EXPECT_EQ(::waitpid(pid, &state, 0), pid);
  EXPECT_TRUE(WIFEXITED(state));
  return WEXITSTATUS(state);
}

TEST_F(ReadOnlyEnvTest, RefusesADatabaseThatAnotherProcessWrites) {
  for (const auto kind :
       {LockingProcess::Kind::kLevelDb, LockingProcess::Kind::kGoLevelDb}) {
    const LockingProcess writer(folder_, kind);
    ReadOnlyEnv env(leveldb::Env::Default());
    std::unique_ptr<leveldb::DB> db;
    EXPECT_THAT(
        OpenForReading(&env, &db),
        LevelDbStatusIs(LevelDbCode::kIOError,
                        EndsWith("LOCK: Resource temporarily unavailable")))
        << static_cast<int>(kind);
  }
}

TEST_F(ReadOnlyEnvTest, KeepsWritersOfOtherProcessesOut) {
  ReadOnlyEnv env(leveldb::Env::Default());
  std::unique_ptr<leveldb::DB> db;
  ASSERT_OK(OpenForReading(&env, &db));
  const auto can_open = [this] {
    leveldb::FileLock* lock = nullptr;
    return leveldb::Env::Default()->LockFile(folder_ + "/LOCK", &lock).ok();
  };
  EXPECT_EQ(InAnotherProcess(can_open), 0);
  const auto can_open_in_go = [this] {
    const int file = ::open((folder_ + "/LOCK").c_str(), O_RDWR);
    return ::flock(file, LOCK_EX | LOCK_NB) == 0;
  };
  EXPECT_EQ(InAnotherProcess(can_open_in_go), 0);
  db.reset();
  EXPECT_EQ(InAnotherProcess(can_open), 1);
  EXPECT_EQ(InAnotherProcess(can_open_in_go), 1);
}

class ReadOnlyEnvFilesTest : public ::testing::Test {
 protected:
  ReadOnlyEnvFilesTest() { std::ofstream(dir_.Join("old")) << "on disk"; }

  std::string Read(const std::string& name) {
    std::string contents;
    EXPECT_OK(leveldb::ReadFileToString(&env_, dir_.Join(name), &contents));
    return contents;
  }
  std::vector<std::string> Children() {
    std::vector<std::string> names;
    EXPECT_OK(env_.GetChildren(dir_.path(), &names));
    std::vector<std::string> files;
    for (const std::string& name : names) {
      if (name != "." && name != "..") files.push_back(name);
    }
    return files;
  }
  leveldb::Status Write(const std::string& name, const std::string& text) {
    return leveldb::WriteStringToFile(&env_, text, dir_.Join(name));
  }

  TempDir dir_;
  ReadOnlyEnv env_{leveldb::Env::Default()};
};

TEST_F(ReadOnlyEnvFilesTest, ShowsWhatWasWrittenOverWhatIsThere) {
  ASSERT_OK(Write("new", "in memory"));
  ASSERT_OK(Write("old", "changed"));
  EXPECT_EQ(Read("new"), "in memory");
  EXPECT_EQ(Read("old"), "changed");
  EXPECT_THAT(Children(), UnorderedElementsAre("new", "old"));
  uint64_t size = 0;
  ASSERT_OK(env_.GetFileSize(dir_.Join("old"), &size));
  EXPECT_EQ(size, 7);
  std::string on_disk;
  ASSERT_OK(leveldb::ReadFileToString(leveldb::Env::Default(), dir_.Join("old"),
                                      &on_disk));
  EXPECT_EQ(on_disk, "on disk");
}

TEST_F(ReadOnlyEnvFilesTest, HidesWhatWasRemoved) {
  ASSERT_OK(env_.RemoveFile(dir_.Join("old")));
  EXPECT_FALSE(env_.FileExists(dir_.Join("old")));
  EXPECT_THAT(Children(), UnorderedElementsAre());
  EXPECT_THAT(env_.RemoveFile(dir_.Join("old")), IsLevelDbNotFound());
  EXPECT_TRUE(std::filesystem::exists(dir_.Join("old")));
  ASSERT_OK(Write("old", "again"));
  EXPECT_EQ(Read("old"), "again");
}

TEST_F(ReadOnlyEnvFilesTest, RenamesInMemory) {
  ASSERT_OK(Write("new", "in memory"));
  ASSERT_OK(env_.RenameFile(dir_.Join("new"), dir_.Join("newer")));
  ASSERT_OK(env_.RenameFile(dir_.Join("old"), dir_.Join("older")));
  EXPECT_EQ(Read("newer"), "in memory");
  EXPECT_EQ(Read("older"), "on disk");
  EXPECT_THAT(Children(), UnorderedElementsAre("newer", "older"));
  EXPECT_TRUE(std::filesystem::exists(dir_.Join("old")));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("older")));
}

TEST_F(ReadOnlyEnvFilesTest, MakesNoFilesWhenFrozen) {
  env_.Freeze();
  EXPECT_THAT(Write("new", "x"),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("reading")));
  leveldb::WritableFile* file = nullptr;
  EXPECT_THAT(env_.NewAppendableFile(dir_.Join("old"), &file),
              LevelDbStatusIs(LevelDbCode::kNotSupported));
  EXPECT_EQ(file, nullptr);
  EXPECT_EQ(Read("old"), "on disk");
}

TEST_F(ReadOnlyEnvFilesTest, AFolderThatIsMissingStaysMissing) {
  EXPECT_OK(env_.CreateDir(dir_.Join("folder")));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("folder")));
  std::vector<std::string> names;
  EXPECT_THAT(env_.GetChildren(dir_.Join("folder"), &names),
              IsLevelDbNotFound());
  EXPECT_THAT(env_.RemoveDir(dir_.path()),
              LevelDbStatusIs(LevelDbCode::kNotSupported));
}

}  // namespace
}  // namespace shardingdb
