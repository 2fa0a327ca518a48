// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/fault_injection_env.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::leveldb::Slice;
using ::leveldb::Status;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Pair;

class FaultInjectionEnvTest : public ::testing::Test {
 protected:
  // A new file at `path`.
  std::unique_ptr<leveldb::WritableFile> Create(const std::string& path) {
    leveldb::WritableFile* file = nullptr;
    EXPECT_OK(env_.NewWritableFile(path, &file));
    return std::unique_ptr<leveldb::WritableFile>(file);
  }

  // What the file below holds.
  static std::string Contents(const std::string& path) {
    std::string contents;
    EXPECT_OK(
        leveldb::ReadFileToString(leveldb::Env::Default(), path, &contents));
    return contents;
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("000003.log");
  FaultInjectionEnv env_{leveldb::Env::Default()};
};

const auto kInjected = LevelDbStatusIs(LevelDbCode::kIOError, "injected fault");

TEST_F(FaultInjectionEnvTest, WithoutFaultsItIsTheEnvBelow) {
  ASSERT_OK(leveldb::WriteStringToFile(&env_, "text", path_));
  std::string contents;
  ASSERT_OK(leveldb::ReadFileToString(&env_, path_, &contents));
  EXPECT_EQ(contents, "text");
  ASSERT_OK(env_.RenameFile(path_, dir_.Join("other")));
  EXPECT_FALSE(env_.FileExists(path_));
  uint64_t size = 0;
  ASSERT_OK(env_.GetFileSize(dir_.Join("other"), &size));
  EXPECT_EQ(size, 4u);
  ASSERT_OK(env_.RemoveFile(dir_.Join("other")));
  EXPECT_FALSE(env_.FileExists(dir_.Join("other")));
}

TEST_F(FaultInjectionEnvTest, EachKindOfOperationFails) {
  const std::string folder = dir_.Join("folder");
  const std::string other = dir_.Join("other");
  ASSERT_OK(leveldb::WriteStringToFile(&env_, "0123456789", path_));
  const std::unique_ptr<leveldb::WritableFile> file = Create(other);
  leveldb::SequentialFile* raw_sequential = nullptr;
  ASSERT_OK(env_.NewSequentialFile(path_, &raw_sequential));
  const std::unique_ptr<leveldb::SequentialFile> sequential(raw_sequential);
  leveldb::RandomAccessFile* raw_random = nullptr;
  ASSERT_OK(env_.NewRandomAccessFile(path_, &raw_random));
  const std::unique_ptr<leveldb::RandomAccessFile> random(raw_random);

  Slice result;
  char scratch[8];
  uint64_t size;
  std::vector<std::string> names;
  leveldb::WritableFile* no_file;
  leveldb::SequentialFile* no_sequential;
  leveldb::RandomAccessFile* no_random;
  leveldb::FileLock* no_lock;
  const std::vector<std::pair<FileOperation, std::function<Status()>>> kCases =
      {
          {FileOperation::kCreate,
           [&] { return env_.NewWritableFile(path_, &no_file); }},
          {FileOperation::kCreate,
           [&] { return env_.NewAppendableFile(path_, &no_file); }},
          {FileOperation::kOpen,
           [&] { return env_.NewSequentialFile(path_, &no_sequential); }},
          {FileOperation::kOpen,
           [&] { return env_.NewRandomAccessFile(path_, &no_random); }},
          {FileOperation::kAppend, [&] { return file->Append("x"); }},
          {FileOperation::kFlush, [&] { return file->Flush(); }},
          {FileOperation::kSync, [&] { return file->Sync(); }},
          {FileOperation::kRead,
           [&] { return sequential->Read(4, &result, scratch); }},
          {FileOperation::kRead, [&] { return sequential->Skip(1); }},
          {FileOperation::kRead,
           [&] { return random->Read(0, 4, &result, scratch); }},
          {FileOperation::kRename,
           [&] { return env_.RenameFile(path_, folder); }},
          {FileOperation::kRemove, [&] { return env_.RemoveFile(path_); }},
          {FileOperation::kCreateDir, [&] { return env_.CreateDir(folder); }},
          {FileOperation::kRemoveDir,
           [&] { return env_.RemoveDir(dir_.path()); }},
          {FileOperation::kList,
           [&] { return env_.GetChildren(dir_.path(), &names); }},
          {FileOperation::kSize,
           [&] { return env_.GetFileSize(path_, &size); }},
          {FileOperation::kLock,
           [&] { return env_.LockFile(path_, &no_lock); }},
          {FileOperation::kClose, [&] { return file->Close(); }},
      };
  for (const auto& [operation, call] : kCases) {
    const int fault = env_.AddFault({{operation}});
    EXPECT_THAT(call(), kInjected) << static_cast<int>(operation);
    EXPECT_EQ(env_.Failures(fault), 1u) << static_cast<int>(operation);
    env_.RemoveFault(fault);
  }
  EXPECT_EQ(Contents(path_), "0123456789");
  EXPECT_EQ(Contents(other), "");
  ASSERT_OK(env_.GetChildren(dir_.path(), &names));
  EXPECT_EQ(names.size(), 4u) << "and the folders . and ..";
}

TEST_F(FaultInjectionEnvTest, FaultsMatchByKindNameAndTurn) {
  const auto log = Create(path_);
  const auto table = Create(dir_.Join("000004.ldb"));
  env_.AddFault({{FileOperation::kAppend, FileOperation::kSync},
                 "*.log",
                 /*skip=*/1,
                 /*count=*/2});
  EXPECT_OK(log->Append("a"));
  EXPECT_OK(table->Append("a"));
  EXPECT_OK(table->Append("a"));
  EXPECT_THAT(log->Append("b"), kInjected);
  EXPECT_OK(log->Flush());
  EXPECT_THAT(log->Sync(), kInjected);
  EXPECT_OK(log->Append("c"));
  EXPECT_OK(log->Close());
  EXPECT_EQ(Contents(path_), "ac");
}

TEST_F(FaultInjectionEnvTest, TheFirstFaultThatMatchesDecides) {
  const auto file = Create(path_);
  const int once = env_.AddFault(
      {{FileOperation::kAppend}, "", 0, 1, Status::IOError("first")});
  const int always =
      env_.AddFault({{}, "", 0, 100, Status::Corruption("second")});
  EXPECT_THAT(file->Append("a"),
              LevelDbStatusIs(LevelDbCode::kIOError, "first"));
  EXPECT_THAT(file->Append("a"),
              LevelDbStatusIs(LevelDbCode::kCorruption, "second"));
  env_.RemoveFault(always);
  EXPECT_OK(file->Append("a"));
  EXPECT_EQ(env_.Failures(once), 1u);
  EXPECT_EQ(env_.Failures(always), 1u);
}

TEST_F(FaultInjectionEnvTest, ATornAppendWritesItsBeginning) {
  const auto file = Create(path_);
  FileFault fault{{FileOperation::kAppend}};
  fault.count = 1;
  fault.torn_bytes = 3;
  env_.AddFault(fault);
  EXPECT_THAT(file->Append("abcdef"), kInjected);
  EXPECT_OK(file->Append("gh"));
  EXPECT_OK(file->Close());
  EXPECT_EQ(Contents(path_), "abcgh");
}

TEST_F(FaultInjectionEnvTest, AFullDiskCutsTheAppendThatDoesNotFit) {
  const auto full = LevelDbStatusIs(LevelDbCode::kIOError,
                                    path_ + ": No space left on device");
  const auto file = Create(path_);
  ASSERT_OK(file->Append("1"));
  env_.SetFreeSpace(5);
  EXPECT_OK(file->Append("abc"));
  EXPECT_THAT(file->Append("defg"), full);
  EXPECT_THAT(file->Append("h"), full);
  EXPECT_OK(file->Append(""));
  EXPECT_OK(file->Sync());
  EXPECT_EQ(Contents(path_), "1abcde");
  env_.SetUnlimitedSpace();
  EXPECT_OK(file->Append("h"));
}

TEST_F(FaultInjectionEnvTest, RemovedAndReplacedFilesGiveSpaceBack) {
  const auto full = LevelDbStatusIs(LevelDbCode::kIOError,
                                    EndsWith("No space left on device"));
  const std::string other = dir_.Join("other");
  env_.SetFreeSpace(4);
  EXPECT_OK(Create(path_)->Append("1234"));
  EXPECT_THAT(Create(other)->Append("5"), full);
  EXPECT_OK(env_.RemoveFile(path_));
  EXPECT_OK(Create(other)->Append("1234"));
  EXPECT_OK(Create(other)->Append("12"));
  EXPECT_OK(Create(path_)->Append("34"));
  EXPECT_THAT(Create(dir_.Join("third"))->Append("5"), full);
  EXPECT_OK(env_.RenameFile(path_, other));
  EXPECT_OK(Create(dir_.Join("third"))->Append("34"));
  EXPECT_EQ(Contents(other), "34");
}

TEST_F(FaultInjectionEnvTest, CountsAndObservesOperations) {
  std::vector<std::pair<FileOperation, std::string>> seen;
  env_.SetObserver([&seen](FileOperation operation, const std::string& path) {
    seen.emplace_back(operation, path);
  });
  const auto file = Create(path_);
  EXPECT_OK(file->Append("a"));
  EXPECT_OK(file->Append("b"));
  EXPECT_THAT(seen, ElementsAre(Pair(FileOperation::kCreate, path_),
                                Pair(FileOperation::kAppend, path_),
                                Pair(FileOperation::kAppend, path_)));
  EXPECT_EQ(env_.Operations(FileOperation::kAppend), 2u);
  EXPECT_EQ(env_.Operations(FileOperation::kAppend, "*.log"), 2u);
  EXPECT_EQ(env_.Operations(FileOperation::kAppend, "*.ldb"), 0u);
  EXPECT_EQ(env_.Operations(FileOperation::kSync), 0u);
}

TEST_F(FaultInjectionEnvTest, ADatabaseOnAFullDiskKeepsWhatItAcknowledged) {
  leveldb::Options options;
  options.env = &env_;
  options.create_if_missing = true;
  options.write_buffer_size = 256 << 10;
  leveldb::DB* raw = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, dir_.Join("db"), &raw));
  std::unique_ptr<leveldb::DB> db(raw);
  env_.SetFreeSpace(1 << 20);
  int acknowledged = 0;
  Status status;
  while (
      (status = db->Put(leveldb::WriteOptions(), std::to_string(acknowledged),
                        std::string(1000, 'v')))
          .ok()) {
    ++acknowledged;
  }
  EXPECT_THAT(status, LevelDbStatusIs(LevelDbCode::kIOError,
                                      HasSubstr("No space left on device")));
  EXPECT_GT(acknowledged, 100);
  db.reset();
  env_.SetUnlimitedSpace();
  ASSERT_OK(leveldb::DB::Open(options, dir_.Join("db"), &raw));
  db.reset(raw);
  for (int i = 0; i < acknowledged; ++i) {
    std::string value;
    EXPECT_OK(db->Get(leveldb::ReadOptions(), std::to_string(i), &value)) << i;
  }
}

}  // namespace
}  // namespace shardingdb
