// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// All vectors of sharding_vectors.tsv in the folder that the environment
// variable SHARDINGDB_SHARED_DATA names.

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

TEST(SharedShardingTest, FunctionsAgreeWithGo) {
  const char* const folder = std::getenv("SHARDINGDB_SHARED_DATA");
  ASSERT_NE(folder, nullptr)
      << "run with --test_env=SHARDINGDB_SHARED_DATA=FOLDER";
  std::ifstream file(std::string(folder) + "/sharding_vectors.tsv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line)) << "no sharding_vectors.tsv there";
  int vectors = 0;
  while (std::getline(file, line)) {
    SCOPED_TRACE(line);
    const std::vector<std::string> columns = absl::StrSplit(line, '\t');
    ASSERT_EQ(columns.size(), 5U);
    const std::string key = absl::HexStringToBytes(columns[0]);
    uint32_t shard_count, murmur, sha256;
    ASSERT_TRUE(absl::SimpleAtoi(columns[1], &shard_count));
    ASSERT_TRUE(absl::SimpleAtoi(columns[2], &murmur));
    ASSERT_TRUE(absl::SimpleAtoi(columns[3], &sha256));
    EXPECT_EQ(MurmurSharding()->ShardOf(key, shard_count), murmur);
    EXPECT_EQ(Sha256Sharding()->ShardOf(key, shard_count), sha256);
    if (columns[4] != "-") {
      uint32_t xor16;
      ASSERT_TRUE(absl::SimpleAtoi(columns[4], &xor16));
      EXPECT_EQ(XorSharding()->ShardOf(key, shard_count), xor16);
    }
    ++vectors;
  }
  EXPECT_EQ(vectors, 1000);
}

}  // namespace
}  // namespace shardingdb
