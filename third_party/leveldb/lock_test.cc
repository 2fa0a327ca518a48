// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What is locked stays locked until it is unlocked (patch 0012).

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "third_party/leveldb/database.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// Whether another process would find the file locked. The descriptors of this
// one are not touched.
bool IsLockedForOthers(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(path.c_str(), O_RDWR);
    struct ::flock range = {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    if (::fcntl(file, F_GETLK, &range) != 0) ::_exit(2);
    ::_exit(range.l_type == F_UNLCK ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2);
  return status != 0;
}

class LockTest : public testing::Test {
 protected:
  LockTest() : db_(env_, path_) {
    std::filesystem::create_directory_symlink(path_, link_);
    EXPECT_OK(db_.Open());
    EXPECT_OK(db_.Put("key", "1"));
  }

  // Three spellings of the open database.
  std::vector<std::string> Spellings() const {
    return {path_, dir_.Join("./db"), link_};
  }

  static auto IsLocked() {
    return LevelDbStatusIs(LevelDbCode::kIOError,
                           HasSubstr("already held by process"));
  }

  void ExpectStillLocked() {
    EXPECT_TRUE(IsLockedForOthers(path_ + "/LOCK"));
    EXPECT_EQ(db_.Get("key"), "1");
  }

  leveldb::Env* const env_ = leveldb::Env::Default();
  const TempDir dir_;
  const std::string path_ = dir_.Join("db");
  const std::string link_ = dir_.Join("link");
  Database db_;
};

TEST_F(LockTest, ARefusedDestroyDBLeavesIt) {
  for (const std::string& path : Spellings()) {
    EXPECT_THAT(leveldb::DestroyDB(path, *db_.options()), IsLocked()) << path;
    ExpectStillLocked();
  }
}

TEST_F(LockTest, ARefusedOpenLeavesIt) {
  for (const std::string& path : Spellings()) {
    leveldb::DB* db = nullptr;
    EXPECT_THAT(leveldb::DB::Open(*db_.options(), path, &db), IsLocked());
    ExpectStillLocked();
  }
}

TEST_F(LockTest, ARepairIsRefusedAndLeavesIt) {
  for (const std::string& path : Spellings()) {
    EXPECT_THAT(leveldb::RepairDB(path, *db_.options()), IsLocked()) << path;
    ExpectStillLocked();
  }
  db_.Close();
  EXPECT_OK(leveldb::RepairDB(path_, *db_.options()));
  EXPECT_FALSE(IsLockedForOthers(path_ + "/LOCK"));
}

TEST_F(LockTest, ARepairOfWhatAnotherProcessHasOpenIsRefused) {
  db_.Close();
  const LockingProcess other(path_);
  EXPECT_THAT(leveldb::RepairDB(path_, *db_.options()),
              LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("LOCK")));
}

TEST_F(LockTest, IsFreeOnceItIsUnlocked) {
  db_.Close();
  EXPECT_FALSE(IsLockedForOthers(path_ + "/LOCK"));
  for (const std::string& path : Spellings()) {
    leveldb::FileLock* lock = nullptr;
    ASSERT_OK(env_->LockFile(path + "/LOCK", &lock));
    EXPECT_TRUE(IsLockedForOthers(path_ + "/LOCK"));
    EXPECT_OK(env_->UnlockFile(lock));
  }
}

TEST_F(LockTest, IsOfTheFileThatHasTheNameNow) {
  const std::string name = dir_.Join("lock");
  leveldb::FileLock* first = nullptr;
  ASSERT_OK(env_->LockFile(name, &first));
  ASSERT_OK(env_->RemoveFile(name));
  leveldb::FileLock* second = nullptr;
  ASSERT_OK(env_->LockFile(name, &second));
  leveldb::FileLock* third = nullptr;
  EXPECT_THAT(env_->LockFile(name, &third), IsLocked());
  EXPECT_TRUE(IsLockedForOthers(name));
  EXPECT_OK(env_->UnlockFile(first));
  EXPECT_TRUE(IsLockedForOthers(name));
  EXPECT_OK(env_->UnlockFile(second));
}

// Notes whether the file LOCK is there when it is unlocked.
class UnlockingEnv final : public leveldb::EnvWrapper {
 public:
  explicit UnlockingEnv(const std::string& lock_name)
      : EnvWrapper(leveldb::Env::Default()), lock_name_(lock_name) {}
  leveldb::Status UnlockFile(leveldb::FileLock* lock) override {
    found_ = target()->FileExists(lock_name_);
    return target()->UnlockFile(lock);
  }
  bool found() const { return found_; }

 private:
  const std::string lock_name_;
  bool found_ = true;
};

// Otherwise it removes what somebody else has just locked, and a third one
// makes and locks it anew.
TEST_F(LockTest, DestroyDBRemovesItWhileItHasIt) {
  db_.Close();
  UnlockingEnv env(path_ + "/LOCK");
  leveldb::Options options = *db_.options();
  options.env = &env;
  EXPECT_OK(leveldb::DestroyDB(path_, options));
  EXPECT_FALSE(env.found());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

// Another process locks, removes and unlocks it, again and again.
TEST_F(LockTest, IsNeverThatOfARemovedFile) {
  const std::string name = dir_.Join("lock");
  int stop[2];
  ASSERT_EQ(::pipe2(stop, O_NONBLOCK), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(stop[1]);
    char byte;
    while (::read(stop[0], &byte, 1) != 0) {
      leveldb::FileLock* lock = nullptr;
      if (!env_->LockFile(name, &lock).ok()) continue;
      env_->RemoveFile(name);
      env_->UnlockFile(lock);
    }
    ::_exit(0);
  }
  for (int locked = 0; locked < 3000;) {
    leveldb::FileLock* lock = nullptr;
    if (!env_->LockFile(name, &lock).ok()) continue;
    ++locked;
    EXPECT_TRUE(env_->FileExists(name));
    EXPECT_OK(env_->UnlockFile(lock));
  }
  ::close(stop[0]);
  ::close(stop[1]);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace shardingdb
