// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "shardingdb/sharding_func.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr uint32_t kShards = 65535;  // so that a match is no coincidence

TEST(PrefixShardingTest, KeysOfOnePrefixShareAShard) {
  const ShardingFuncPtr function = PrefixSharding('/');
  const uint32_t shard = JumpSharding()->ShardOf("user/", kShards);
  EXPECT_EQ(function->ShardOf("user/", kShards), shard);
  EXPECT_EQ(function->ShardOf("user/1", kShards), shard);
  EXPECT_EQ(function->ShardOf("user/1/2", kShards), shard);
  EXPECT_NE(function->ShardOf("usex/1", kShards), shard);
}

TEST(PrefixShardingTest, AKeyWithoutDelimiterIsItsOwnPrefix) {
  const ShardingFuncPtr function = PrefixSharding('/');
  for (const char* key : {"", "user", "user1"}) {
    EXPECT_EQ(function->ShardOf(key, kShards),
              JumpSharding()->ShardOf(key, kShards));
  }
}

TEST(PrefixShardingTest, AnyByteCanBeTheDelimiter) {
  for (int c = 0; c < 256; ++c) {
    const ShardingFuncPtr function = PrefixSharding(static_cast<char>(c));
    const std::string prefix{static_cast<char>(c ^ 1), static_cast<char>(c)};
    EXPECT_EQ(function->ShardOf(prefix + "row", kShards),
              JumpSharding()->ShardOf(prefix, kShards));
    ASSERT_OK_AND_ASSIGN(const ShardingFuncPtr found,
                         ShardingFuncByName(function->name()));
    EXPECT_EQ(found->ShardOf(prefix + "row", kShards),
              function->ShardOf(prefix, kShards));
  }
}

TEST(PrefixShardingTest, TheFirstBytes) {
  const ShardingFuncPtr function = PrefixLengthSharding(4);
  const uint32_t shard = JumpSharding()->ShardOf("abcd", kShards);
  EXPECT_EQ(function->ShardOf("abcd", kShards), shard);
  EXPECT_EQ(function->ShardOf("abcdef", kShards), shard);
  EXPECT_EQ(function->ShardOf("abc", kShards),
            JumpSharding()->ShardOf("abc", kShards));
  EXPECT_EQ(function->ShardOf("", kShards),
            JumpSharding()->ShardOf("", kShards));
}

// Whatever ShardOfRange says holds for all keys of the range, and it says
// something exactly where the range is within one prefix or one key.
void CheckRange(const ShardingFuncPtr& function, const std::string& start,
                const std::string& limit, bool known) {
  const std::optional<uint32_t> shard =
      function->ShardOfRange(leveldb::Range(start, limit), kShards);
  EXPECT_EQ(shard.has_value(), known)
      << function->name() << " [" << start << ", " << limit << ")";
  if (!shard.has_value()) return;
  for (int c = -1; c < 256; ++c) {
    const std::string key = c < 0 ? start : start + static_cast<char>(c);
    if (!limit.empty() && key >= limit) continue;
    EXPECT_EQ(function->ShardOf(key, kShards), *shard) << key;
  }
}

TEST(PrefixShardingTest, RangesWithinADelimitedPrefixAreKnown) {
  const ShardingFuncPtr function = PrefixSharding('/');
  CheckRange(function, "user/", "user0", true);
  CheckRange(function, "user/", "user/z", true);
  CheckRange(function, "user/a", "user/b", true);
  CheckRange(function, "user/a", "user0", true);
  CheckRange(function, "user/", "user00", false);
  CheckRange(function, "user/", "usf", false);
  CheckRange(function, "user/", "", false);
  CheckRange(function, "user", "user/", false);
  CheckRange(function, "user", std::string("user\0", 5), true);
  CheckRange(function, "", "user/", false);
}

TEST(PrefixShardingTest, RangesWithinAPrefixOfSomeLengthAreKnown) {
  const ShardingFuncPtr function = PrefixLengthSharding(4);
  CheckRange(function, "user", "uses", true);
  CheckRange(function, "user1", "user2", true);
  CheckRange(function, "user1", "uses", true);
  CheckRange(function, "user", "uses0", false);
  CheckRange(function, "use", "usf", false);
  CheckRange(function, "user", "", false);
}

TEST(PrefixShardingTest, AfterTheLastPrefixThereIsNoEnd) {
  CheckRange(PrefixSharding('\xff'), "\xff", "", true);
  CheckRange(PrefixSharding('\xff'), "a\xff", "b", true);
  CheckRange(PrefixSharding('\xff'), "a\xff", "b\x01", false);
  CheckRange(PrefixLengthSharding(2), "\xff\xff", "", true);
  CheckRange(PrefixLengthSharding(2), "\xfe\xff", "\xff", true);
  CheckRange(PrefixLengthSharding(2), "\xfe\xff", "\xff\x01", false);
}

TEST(PrefixShardingTest, ImpossibleLengthsAreRefused) {
  for (const size_t length : {size_t{0}, size_t{65536}, ~size_t{0}}) {
    EXPECT_THAT(
        CheckShardingFunc(PrefixLengthSharding(length)),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("1 to 65535")));
  }
  EXPECT_OK(CheckShardingFunc(PrefixLengthSharding(1)));
  EXPECT_OK(CheckShardingFunc(PrefixLengthSharding(65535)));
  EXPECT_OK(CheckShardingFunc(PrefixSharding('\0')));
}

TEST(PrefixShardingTest, NamesGiveBackTheFunction) {
  for (const char* name : {"prefix:delimiter=2f", "prefix:delimiter=00",
                           "prefix:length=1", "prefix:length=65535"}) {
    ASSERT_OK_AND_ASSIGN(const ShardingFuncPtr function,
                         ShardingFuncByName(name));
    EXPECT_EQ(function->name(), name);
    EXPECT_OK(CheckShardingFunc(function));
  }
  ASSERT_OK_AND_ASSIGN(const ShardingFuncPtr upper,
                       ShardingFuncByName("prefix:delimiter=2F"));
  EXPECT_EQ(upper->name(), "prefix:delimiter=2f");
}

TEST(PrefixShardingTest, NamesThatMakeNoSense) {
  for (const char* name :
       {"prefix", "prefix:", "prefix:delimiter=", "prefix:delimiter=2",
        "prefix:delimiter=2f2f", "prefix:delimiter=zz", "prefix:length=",
        "prefix:length=0", "prefix:length=65536", "prefix:length=-1",
        "prefix:length=+1", "prefix:length=01", "prefix:length=1x",
        "prefix:length=99999999999999999999", "prefix:size=1"}) {
    EXPECT_THAT(
        ShardingFuncByName(name),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 AllOf(HasSubstr(name), HasSubstr("prefix:delimiter=XX"),
                       HasSubstr("prefix:length=N"))));
  }
}

}  // namespace
}  // namespace shardingdb
