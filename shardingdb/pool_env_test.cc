// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/pool_env.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/barrier.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "shardingdb/thread_pool.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

// LevelDB's own Env would wait here for ever: it has one thread.
TEST(PoolEnvTest, WorkOfDifferentDatabasesRunsAtOnce) {
  constexpr int kThreads = 3;
  auto* const barrier = new absl::Barrier(kThreads);
  ThreadPool pool(kThreads);
  PoolEnv env(leveldb::Env::Default(), &pool);
  for (int i = 0; i < kThreads; ++i) {
    env.Schedule(
        [](void* argument) {
          auto* const shared = static_cast<absl::Barrier*>(argument);
          if (shared->Block()) delete shared;
        },
        barrier);
  }
}

TEST(PoolEnvTest, ADatabaseFlushesAndCompactsOnThePool) {
  TempDir dir;
  ThreadPool pool(2);
  PoolEnv env(leveldb::Env::Default(), &pool);
  leveldb::Options options;
  options.env = &env;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  leveldb::DB* opened = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, dir.Join("db"), &opened));
  const std::unique_ptr<leveldb::DB> db(opened);
  const std::string value(1000, 'v');
  for (int i = 0; i < 1000; ++i) {
    ASSERT_OK(db->Put(leveldb::WriteOptions(), std::to_string(i), value));
  }
  db->CompactRange(nullptr, nullptr);
  for (int i = 0; i < 1000; ++i) {
    std::string found;
    ASSERT_OK(db->Get(leveldb::ReadOptions(), std::to_string(i), &found));
    EXPECT_EQ(found, value);
  }
}

TEST(PoolEnvTest, AFileThatIsMissingIsCorruption) {
  TempDir dir;
  ThreadPool pool(1);
  PoolEnv env(leveldb::Env::Default(), &pool);
  leveldb::RandomAccessFile* file = nullptr;
  EXPECT_THAT(env.NewRandomAccessFile(dir.Join("000005.ldb"), &file),
              LevelDbStatusIs(LevelDbCode::kCorruption,
                              HasSubstr(dir.Join("000005.ldb"))));
  EXPECT_EQ(file, nullptr);
}

TEST(PoolEnvTest, AFileThatCannotBeMadeIsAnIOError) {
  TempDir dir;
  ThreadPool pool(1);
  PoolEnv env(leveldb::Env::Default(), &pool);
  const std::string name = dir.Join("gone/000004.log");
  const auto failed = LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("gone"));
  leveldb::WritableFile* file = nullptr;
  EXPECT_THAT(env.NewWritableFile(name, &file), failed);
  EXPECT_THAT(env.NewAppendableFile(name, &file), failed);
  EXPECT_EQ(file, nullptr);
  EXPECT_THAT(env.RenameFile(name, dir.Join("CURRENT")), failed);
}

// An Env whose files have gone by the time that they are read.
class GoneFilesEnv final : public leveldb::EnvWrapper {
 public:
  GoneFilesEnv() : EnvWrapper(leveldb::Env::Default()) {}

  leveldb::Status NewRandomAccessFile(
      const std::string& /*name*/, leveldb::RandomAccessFile** file) override {
    class GoneFile final : public leveldb::RandomAccessFile {
      leveldb::Status Read(uint64_t, size_t, leveldb::Slice*,
                           char*) const override {
        return leveldb::Status::NotFound("000005.ldb", "gone");
      }
    };
    *file = new GoneFile();
    return leveldb::Status::OK();
  }
};

TEST(PoolEnvTest, AFileThatIsMissingWhenItIsReadIsCorruption) {
  GoneFilesEnv base;
  ThreadPool pool(1);
  PoolEnv env(&base, &pool);
  leveldb::RandomAccessFile* opened = nullptr;
  ASSERT_OK(env.NewRandomAccessFile("000005.ldb", &opened));
  const std::unique_ptr<leveldb::RandomAccessFile> file(opened);
  leveldb::Slice result;
  char scratch[1];
  EXPECT_THAT(file->Read(0, 1, &result, scratch),
              LevelDbStatusIs(LevelDbCode::kCorruption, "000005.ldb: gone"));
}

// Google's LevelDB answers NotFound for a key in a table file that has gone.
TEST(PoolEnvTest, AMissingTableFileIsNotAMissingKey) {
  TempDir dir;
  ThreadPool pool(1);
  PoolEnv env(leveldb::Env::Default(), &pool);
  leveldb::Options options;
  options.env = &env;
  options.create_if_missing = true;
  leveldb::DB* opened = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, dir.Join("db"), &opened));
  std::unique_ptr<leveldb::DB> db(opened);
  ASSERT_OK(db->Put(leveldb::WriteOptions(), "a", "1"));
  db->CompactRange(nullptr, nullptr);
  db.reset();
  ASSERT_OK(leveldb::DB::Open(options, dir.Join("db"), &opened));
  db.reset(opened);

  std::vector<std::string> children;
  ASSERT_OK(env.GetChildren(dir.Join("db"), &children));
  for (const std::string& child : children) {
    if (child.size() > 4 && child.substr(child.size() - 4) == ".ldb") {
      ASSERT_OK(env.RemoveFile(dir.Join("db/" + child)));
    }
  }
  std::string found;
  EXPECT_THAT(db->Get(leveldb::ReadOptions(), "a", &found),
              LevelDbStatusIs(LevelDbCode::kCorruption, HasSubstr(".ldb")));
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(leveldb::ReadOptions()));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_THAT(iterator->status(),
              LevelDbStatusIs(LevelDbCode::kCorruption, HasSubstr(".ldb")));
}

}  // namespace
}  // namespace shardingdb
