// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the Go library's functions send keys: results of that library itself.
// Changing any of them would make old databases unreadable.

#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

// Go's XorSharding16 counts shards in a byte; the vectors stop there.
constexpr uint32_t kNone = 0xffffffff;

struct GoldenShard {
  const char* key_hex;
  uint32_t shard_count;
  uint32_t murmur;
  uint32_t sha256;
  uint32_t xor16;
};

constexpr GoldenShard kGolden[] = {
    {"", 1, 0, 0, 0},
    {"", 2, 1, 0, 0},
    {"", 3, 1, 1, 0},
    {"", 6, 1, 4, 0},
    {"", 9, 7, 4, 0},
    {"", 30, 7, 28, 0},
    {"", 60, 7, 28, 0},
    {"", 255, 127, 148, 0},
    {"", 1000, 727, 288, kNone},
    {"", 65535, 31237, 58288, kNone},
    {"00", 1, 0, 0, 0},
    {"00", 2, 0, 0, 0},
    {"00", 3, 0, 0, 0},
    {"00", 6, 0, 0, 0},
    {"00", 9, 0, 6, 0},
    {"00", 30, 0, 12, 0},
    {"00", 60, 0, 12, 0},
    {"00", 255, 0, 162, 0},
    {"00", 1000, 0, 212, kNone},
    {"00", 65535, 0, 28212, kNone},
    {"ff", 1, 0, 0, 0},
    {"ff", 2, 0, 0, 1},
    {"ff", 3, 1, 1, 0},
    {"ff", 6, 4, 4, 3},
    {"ff", 9, 7, 4, 3},
    {"ff", 30, 16, 4, 15},
    {"ff", 60, 16, 4, 15},
    {"ff", 255, 121, 184, 0},
    {"ff", 1000, 476, 24, kNone},
    {"ff", 65535, 40921, 43024, kNone},
    {"61", 1, 0, 0, 0},
    {"61", 2, 0, 1, 1},
    {"61", 3, 0, 2, 1},
    {"61", 6, 0, 5, 1},
    {"61", 9, 6, 5, 7},
    {"61", 30, 18, 23, 7},
    {"61", 60, 48, 23, 37},
    {"61", 255, 168, 98, 97},
    {"61", 1000, 528, 863, kNone},
    {"61", 65535, 13683, 51863, kNone},
    {"6162", 1, 0, 0, 0},
    {"6162", 2, 0, 0, 1},
    {"6162", 3, 2, 0, 0},
    {"6162", 6, 2, 0, 3},
    {"6162", 9, 5, 3, 3},
    {"6162", 30, 26, 18, 3},
    {"6162", 60, 26, 18, 3},
    {"6162", 255, 161, 138, 3},
    {"6162", 1000, 246, 398, kNone},
    {"6162", 65535, 21326, 64398, kNone},
    {"616263", 1, 0, 0, 0},
    {"616263", 2, 1, 0, 0},
    {"616263", 3, 1, 0, 0},
    {"616263", 6, 1, 0, 0},
    {"616263", 9, 7, 0, 6},
    {"616263", 30, 25, 6, 6},
    {"616263", 60, 55, 36, 36},
    {"616263", 255, 10, 51, 96},
    {"616263", 1000, 335, 736, kNone},
    {"616263", 65535, 38005, 47736, kNone},
    {"68656c6c6f2c20776f726c64", 1, 0, 0, 0},
    {"68656c6c6f2c20776f726c64", 2, 1, 0, 0},
    {"68656c6c6f2c20776f726c64", 3, 2, 1, 0},
    {"68656c6c6f2c20776f726c64", 6, 5, 4, 0},
    {"68656c6c6f2c20776f726c64", 9, 8, 4, 3},
    {"68656c6c6f2c20776f726c64", 30, 29, 16, 12},
    {"68656c6c6f2c20776f726c64", 60, 29, 46, 12},
    {"68656c6c6f2c20776f726c64", 255, 104, 211, 12},
    {"68656c6c6f2c20776f726c64", 1000, 89, 506, kNone},
    {"68656c6c6f2c20776f726c64", 65535, 8774, 2506, kNone},
    {"", 1, 0, 0, 0},
    {"", 2, 1, 0, 0},
    {"", 3, 1, 1, 0},
    {"", 6, 1, 4, 0},
    {"", 9, 7, 4, 0},
    {"", 30, 7, 28, 0},
    {"", 60, 7, 28, 0},
    {"", 255, 127, 148, 0},
    {"", 1000, 727, 288, kNone},
    {"", 65535, 31237, 58288, kNone},
    {"", 1, 0, 0, 0},
    {"", 2, 1, 0, 0},
    {"", 3, 1, 1, 0},
    {"", 6, 1, 4, 0},
    {"", 9, 7, 4, 0},
    {"", 30, 7, 28, 0},
    {"", 60, 7, 28, 0},
    {"", 255, 127, 148, 0},
    {"", 1000, 727, 288, kNone},
    {"", 65535, 31237, 58288, kNone},
};

TEST(GoldenShardingTest, FunctionsAgreeWithGo) {
  for (const GoldenShard& golden : kGolden) {
    SCOPED_TRACE(absl::StrCat(golden.key_hex, " of ", golden.shard_count));
    const std::string key = absl::HexStringToBytes(golden.key_hex);
    EXPECT_EQ(MurmurSharding()->ShardOf(key, golden.shard_count),
              golden.murmur);
    EXPECT_EQ(Sha256Sharding()->ShardOf(key, golden.shard_count),
              golden.sha256);
    if (golden.xor16 != kNone) {
      EXPECT_EQ(XorSharding()->ShardOf(key, golden.shard_count), golden.xor16);
    }
  }
}

}  // namespace
}  // namespace shardingdb
