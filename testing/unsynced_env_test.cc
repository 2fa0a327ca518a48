// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/unsynced_env.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

TEST(UnsyncedEnvTest, WhatWasSyncedCanBeRead) {
  TempDir dir;
  const std::string path = dir.Join("MANIFEST-000001");
  for (const bool append : {false, true}) {
    leveldb::WritableFile* raw = nullptr;
    ASSERT_OK(append ? UnsyncedEnv()->NewAppendableFile(path, &raw)
                     : UnsyncedEnv()->NewWritableFile(path, &raw));
    const std::unique_ptr<leveldb::WritableFile> file(raw);
    ASSERT_OK(file->Append(append ? "more" : "text"));
    ASSERT_OK(file->Sync());
    std::string contents;
    ASSERT_OK(leveldb::ReadFileToString(UnsyncedEnv(), path, &contents));
    EXPECT_EQ(contents, append ? "textmore" : "text");
    EXPECT_OK(file->Close());
  }
}

TEST(UnsyncedEnvTest, FilesThatCannotBeMadeAreErrors) {
  TempDir dir;
  leveldb::WritableFile* file = nullptr;
  EXPECT_THAT(UnsyncedEnv()->NewWritableFile(dir.Join("absent/a"), &file),
              IsLevelDbNotFound());
  EXPECT_EQ(file, nullptr);
}

}  // namespace
}  // namespace shardingdb
