// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/engine.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "shardingdb/sharding_db.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNames[] = {
    "leveldb",      "leveldb-tuned",           "shardingdb:1",
    "shardingdb:6", "shardingdb:3:compressed", "shardingdb:3:sealed"};

TEST(Engine, ToStringIsTheNameThatWasParsed) {
  for (const char* name : kNames) {
    ASSERT_OK_AND_ASSIGN(const Engine engine, ParseEngine(name));
    EXPECT_EQ(engine.ToString(), name);
  }
}

TEST(Engine, RefusesOtherNamesAndSaysWhichThereAre) {
  for (const char* name :
       {"", "level", "shardingdb", "shardingdb:", "shardingdb:0",
        "shardingdb:-1", "shardingdb:65536", "shardingdb:3:open",
        "shardingdb:3:sealed:x", "shardingdb:x:sealed", "leveldb:3"}) {
    EXPECT_THAT(ParseEngine(name), StatusIs(absl::StatusCode::kInvalidArgument,
                                            HasSubstr("leveldb-tuned")))
        << name;
  }
}

TEST(Engine, OpensAndWorks) {
  for (const char* name : kNames) {
    TempDir dir;
    ASSERT_OK_AND_ASSIGN(const Engine engine, ParseEngine(name));
    ASSERT_OK_AND_ASSIGN(OpenEngine open,
                         OpenEngine::New(engine, dir.Join("database")));
    EXPECT_OK(open.db()->Put(leveldb::WriteOptions(), "key", "value"));
    std::string value;
    EXPECT_OK(open.db()->Get(leveldb::ReadOptions(), "key", &value));
    EXPECT_EQ(value, "value");
    const auto* sharded = dynamic_cast<ShardingDb*>(open.db());
    if (sharded != nullptr) {
      EXPECT_EQ(sharded->ShardCount(), engine.shards);
    }
  }
}

TEST(Engine, FailsWithTheFolder) {
  const std::string below = "/dev/null/database";
  for (const char* name : kNames) {
    ASSERT_OK_AND_ASSIGN(const Engine engine, ParseEngine(name));
    EXPECT_THAT(
        OpenEngine::New(engine, below),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("/dev/null")))
        << name;
  }
}

}  // namespace
}  // namespace shardingdb
