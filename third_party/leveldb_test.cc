// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"

namespace {

std::unique_ptr<leveldb::DB> Open(leveldb::Env* env, const std::string& path) {
  leveldb::Options options;
  options.create_if_missing = true;
  options.paranoid_checks = true;
  options.env = env;
  leveldb::DB* db = nullptr;
  const leveldb::Status status = leveldb::DB::Open(options, path, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::unique_ptr<leveldb::DB>(db);
}

void PutCompactReopenAndGet(leveldb::Env* env, const std::string& path) {
  const std::string value(100000, 'v');
  std::unique_ptr<leveldb::DB> db = Open(env, path);
  ASSERT_NE(db, nullptr);
  ASSERT_TRUE(db->Put(leveldb::WriteOptions(), "key", value).ok());
  db->CompactRange(nullptr, nullptr);
  db.reset();

  db = Open(env, path);
  ASSERT_NE(db, nullptr);
  std::string got;
  ASSERT_TRUE(db->Get(leveldb::ReadOptions(), "key", &got).ok());
  EXPECT_EQ(got, value);

  // Snappy is in: what repeats hardly takes any room.
  const leveldb::Range all("a", "z");
  uint64_t size = 0;
  db->GetApproximateSizes(&all, 1, &size);
  EXPECT_GT(size, 0);
  EXPECT_LT(size, value.size() / 2);
}

TEST(LevelDb, WorksOnDisk) {
  PutCompactReopenAndGet(leveldb::Env::Default(),
                         testing::TempDir() + "/leveldb_test");
}

TEST(LevelDb, WorksInMemory) {
  std::unique_ptr<leveldb::Env> env(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  PutCompactReopenAndGet(env.get(), "/memory");
}

}  // namespace
