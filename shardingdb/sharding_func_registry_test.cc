// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/slice.h"
#include "shardingdb/sharding_func.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

ShardingFuncPtr Constant(const std::string& name) {
  return CustomSharding(name,
                        [](const leveldb::Slice&, uint32_t) { return 0U; });
}

TEST(CheckShardingFuncNameTest, GoodNames) {
  for (const std::string& name :
       {std::string("a"), std::string("jump"), std::string("my-func/2:x=1"),
        std::string(64, 'x')}) {
    EXPECT_OK(CheckShardingFuncName(name)) << name;
  }
}

TEST(CheckShardingFuncNameTest, BadNames) {
  for (const std::string& name :
       {std::string(), std::string(65, 'x'), std::string("1st"),
        std::string("_x"), std::string("a b"), std::string("a,b"),
        std::string("a\n"), std::string("a\0", 2), std::string("sch\xc3\xb6n"),
        std::string("a\x7f")}) {
    EXPECT_THAT(CheckShardingFuncName(name),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("sharding function name")));
  }
}

TEST(CheckShardingFuncTest, BuiltinFunctionsAreGood) {
  for (const ShardingFuncPtr& function :
       {JumpSharding(), MurmurSharding(), Sha256Sharding(), XorSharding(),
        PrefixSharding('/'), PrefixLengthSharding(3)}) {
    EXPECT_OK(CheckShardingFunc(function));
    EXPECT_OK(CheckShardingFuncName(function->name()));
  }
}

TEST(CheckShardingFuncTest, Null) {
  EXPECT_THAT(CheckShardingFunc(nullptr),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("null")));
}

TEST(CheckShardingFuncTest, NothingToCall) {
  EXPECT_THAT(
      CheckShardingFunc(CustomSharding("mine", nullptr)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"mine\"")));
}

TEST(CheckShardingFuncTest, ABadName) {
  EXPECT_THAT(CheckShardingFunc(Constant("a b")),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CheckShardingFuncTest, TheNameOfABuiltinFunction) {
  for (const char* name : {"jump", "murmur", "sha256", "xor", "prefix",
                           "prefix:length=3", "prefix:anything"}) {
    EXPECT_THAT(CheckShardingFunc(Constant(name)),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(name), HasSubstr("built-in"))));
  }
  EXPECT_OK(CheckShardingFunc(Constant("jumping")));
  EXPECT_OK(CheckShardingFunc(Constant("prefixed")));
}

TEST(RegisterShardingFuncTest, IsFoundByItsName) {
  const ShardingFuncPtr function = Constant("registered");
  EXPECT_THAT(ShardingFuncByName("registered"),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_OK(RegisterShardingFunc(function));
  EXPECT_THAT(ShardingFuncByName("registered"), IsOkAndHolds(function));
  EXPECT_OK(RegisterShardingFunc(function)) << "the same one again";
}

TEST(RegisterShardingFuncTest, ANameIsGivenOnce) {
  const ShardingFuncPtr function = Constant("taken");
  EXPECT_OK(RegisterShardingFunc(function));
  EXPECT_THAT(
      RegisterShardingFunc(Constant("taken")),
      StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("\"taken\"")));
  EXPECT_THAT(ShardingFuncByName("taken"), IsOkAndHolds(function));
}

TEST(RegisterShardingFuncTest, RefusesWhatCheckShardingFuncRefuses) {
  EXPECT_THAT(RegisterShardingFunc(nullptr),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(RegisterShardingFunc(Constant("jump")),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(RegisterShardingFunc(Constant("")),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(RegisterShardingFunc(CustomSharding("empty", nullptr)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(RegisterShardingFuncTest, BuiltinFunctionsAreKnownAlready) {
  EXPECT_OK(RegisterShardingFunc(JumpSharding()));
  EXPECT_OK(RegisterShardingFunc(PrefixSharding('/')));
}

TEST(RegisterShardingFuncTest, FromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 50; ++i) {
        const ShardingFuncPtr mine =
            Constant(absl::StrCat("thread", t, "-", i));
        EXPECT_OK(RegisterShardingFunc(mine));
        EXPECT_THAT(ShardingFuncByName(mine->name()), IsOkAndHolds(mine));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ShardingFuncByNameTest, BuiltinFunctions) {
  EXPECT_THAT(ShardingFuncByName("jump"), IsOkAndHolds(JumpSharding()));
  EXPECT_THAT(ShardingFuncByName("murmur"), IsOkAndHolds(MurmurSharding()));
  EXPECT_THAT(ShardingFuncByName("sha256"), IsOkAndHolds(Sha256Sharding()));
  EXPECT_THAT(ShardingFuncByName("xor"), IsOkAndHolds(XorSharding()));
}

TEST(ShardingFuncByNameTest, AnUnknownNameListsTheOnesThereAre) {
  ASSERT_OK(RegisterShardingFunc(Constant("listed")));
  for (const char* name : {"", "Jump", "jump ", "crc32", "a\nb"}) {
    EXPECT_THAT(
        ShardingFuncByName(name),
        StatusIs(absl::StatusCode::kNotFound,
                 AllOf(HasSubstr("jump, murmur, sha256, xor"),
                       HasSubstr("prefix:length=N"), HasSubstr("listed"))));
  }
}

}  // namespace
}  // namespace shardingdb
