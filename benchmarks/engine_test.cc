// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/engine.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/rocksdb_engine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "shardingdb/sharding_db.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// All that this program was built with.
std::vector<std::string> Names() {
  std::vector<std::string> names = {"leveldb",
                                    "leveldb-tuned",
                                    "shardingdb:1",
                                    "shardingdb:6",
                                    "shardingdb:3:compressed",
                                    "shardingdb:3:sealed",
                                    "shardingdb:3:prefix",
                                    "shardingdb:6:prefix:sealed",
                                    "shardingdb:6:logged",
                                    "shardingdb:6:prefix:logged:sealed"};
  if (CheckRocksDb().ok()) {
    names.push_back("rocksdb");
    names.push_back("rocksdb-tuned");
  }
  return names;
}

TEST(Engine, ToStringIsTheNameThatWasParsed) {
  for (const std::string& name : Names()) {
    ASSERT_OK_AND_ASSIGN(const Engine engine, ParseEngine(name));
    EXPECT_EQ(engine.ToString(), name);
  }
}

TEST(Engine, RefusesOtherNamesAndSaysWhichThereAre) {
  for (const char* name :
       {"", "level", "shardingdb", "shardingdb:", "shardingdb:0",
        "shardingdb:-1", "shardingdb:65536", "shardingdb:3:open",
        "shardingdb:3:sealed:prefix", "shardingdb:3:sealed:logged",
        "shardingdb:prefix", "rocksdb:3", "shardingdb:3:sealed:x",
        "shardingdb:x:sealed", "leveldb:3"}) {
    EXPECT_THAT(ParseEngine(name), StatusIs(absl::StatusCode::kInvalidArgument,
                                            HasSubstr("leveldb-tuned")))
        << name;
  }
}

TEST(Engine, RefusesRocksDbWhereItIsNotThereAndSaysWhatToInstall) {
  for (const char* name : {"rocksdb", "rocksdb-tuned"}) {
    if (CheckRocksDb().ok()) {
      EXPECT_OK(ParseEngine(name));
      continue;
    }
    EXPECT_THAT(ParseEngine(name),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(StartsWith(absl::StrCat(name, ": ")),
                               HasSubstr("librocksdb-dev"))));
  }
}

std::vector<std::string> Parsed(const std::vector<std::string>& names,
                                const std::vector<int>& counts) {
  std::vector<std::string> parsed;
  const absl::StatusOr<std::vector<Engine>> engines =
      ParseEngines(names, counts);
  if (!engines.ok()) return {engines.status().ToString()};
  for (const Engine& engine : *engines) parsed.push_back(engine.ToString());
  return parsed;
}

TEST(Engine, ANameWithoutANumberStandsForAllCounts) {
  EXPECT_THAT(
      Parsed({"shardingdb:9", "leveldb", "shardingdb"}, {3, 9, 60}),
      ElementsAre("shardingdb:9", "leveldb", "shardingdb:3", "shardingdb:60"));
  EXPECT_THAT(
      Parsed({"shardingdb:sealed", "shardingdb:prefix:compressed"}, {3, 6}),
      ElementsAre("shardingdb:3:sealed", "shardingdb:6:sealed",
                  "shardingdb:3:prefix:compressed",
                  "shardingdb:6:prefix:compressed"));
  EXPECT_THAT(Parsed({"leveldb", "leveldb"}, {3}), ElementsAre("leveldb"));
  for (const char* name :
       {"shardingdbx", "shardingdb:x", "shardingdb:sealedx", "shardingdb:"}) {
    EXPECT_THAT(Parsed({name}, {3}), ElementsAre(HasSubstr("is no engine")));
  }
  EXPECT_THAT(Parsed({"shardingdb"}, {65536}),
              ElementsAre(HasSubstr("is no engine")));
}

TEST(Engine, PrefixesKeepABatchInOneShard) {
  const TempDir dir;
  ASSERT_OK_AND_ASSIGN(const Engine engine, ParseEngine("shardingdb:6:prefix"));
  ASSERT_OK_AND_ASSIGN(OpenEngine open,
                       OpenEngine::New(engine, dir.Join("database")));
  const auto* const sharded = dynamic_cast<ShardingDb*>(open.db());
  ASSERT_NE(sharded, nullptr);
  EXPECT_EQ(sharded->sharding_func().name(), "prefix:length=11");
}

TEST(Engine, OpensAndWorks) {
  for (const std::string& name : Names()) {
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
  for (const std::string& name : Names()) {
    ASSERT_OK_AND_ASSIGN(const Engine engine, ParseEngine(name));
    EXPECT_THAT(
        OpenEngine::New(engine, below),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("/dev/null")))
        << name;
  }
}

}  // namespace
}  // namespace shardingdb
