// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/status_matchers.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "leveldb/status.h"

namespace shardingdb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pointee;

TEST(StatusMatchersTest, IsOkMatchesAllThreeKinds) {
  EXPECT_OK(absl::OkStatus());
  EXPECT_OK(absl::StatusOr<int>(3));
  EXPECT_OK(leveldb::Status::OK());
  EXPECT_THAT(absl::NotFoundError("x"), Not(IsOk()));
  EXPECT_THAT(absl::StatusOr<int>(absl::NotFoundError("x")), Not(IsOk()));
  EXPECT_THAT(leveldb::Status::NotFound("x"), Not(IsOk()));
}

TEST(StatusMatchersTest, StatusIsComparesCodeAndMessage) {
  const absl::Status status = absl::DataLossError("block 7 is damaged");
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("block 7")));
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kDataLoss, "block 7 is damaged"));
  EXPECT_THAT(status, Not(StatusIs(absl::StatusCode::kInternal)));
  EXPECT_THAT(status,
              Not(StatusIs(absl::StatusCode::kDataLoss, HasSubstr("block 8"))));
  EXPECT_THAT(absl::StatusOr<std::string>(status),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("damaged")));
  EXPECT_THAT(absl::StatusOr<std::string>("x"),
              StatusIs(absl::StatusCode::kOk));
}

TEST(StatusMatchersTest, LevelDbStatusIsKnowsEveryCode) {
  const struct {
    leveldb::Status status;
    LevelDbCode code;
  } kCases[] = {
      {leveldb::Status::NotFound("m"), LevelDbCode::kNotFound},
      {leveldb::Status::Corruption("m"), LevelDbCode::kCorruption},
      {leveldb::Status::NotSupported("m"), LevelDbCode::kNotSupported},
      {leveldb::Status::InvalidArgument("m"), LevelDbCode::kInvalidArgument},
      {leveldb::Status::IOError("m"), LevelDbCode::kIOError},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(c.status, LevelDbStatusIs(c.code, "m"));
    EXPECT_THAT(c.status, Not(LevelDbStatusIs(LevelDbCode::kOk)));
    for (const auto& other : kCases) {
      if (other.code != c.code) {
        EXPECT_THAT(c.status, Not(LevelDbStatusIs(other.code)));
      }
    }
  }
  EXPECT_THAT(leveldb::Status::OK(),
              LevelDbStatusIs(LevelDbCode::kOk, IsEmpty()));
  EXPECT_THAT(leveldb::Status::NotFound("k"), IsLevelDbNotFound());
  EXPECT_THAT(leveldb::Status::IOError("k"), Not(IsLevelDbNotFound()));
}

TEST(StatusMatchersTest, LevelDbMessageIsBothPartsOfTheText) {
  EXPECT_THAT(
      leveldb::Status::IOError("/a/b", "No space left on device"),
      LevelDbStatusIs(LevelDbCode::kIOError, "/a/b: No space left on device"));
}

TEST(StatusMatchersTest, IsOkAndHoldsLooksAtTheValue) {
  EXPECT_THAT(absl::StatusOr<int>(3), IsOkAndHolds(3));
  EXPECT_THAT(absl::StatusOr<int>(3), Not(IsOkAndHolds(4)));
  EXPECT_THAT(absl::StatusOr<int>(absl::InternalError("x")),
              Not(IsOkAndHolds(3)));
  EXPECT_THAT(absl::StatusOr<std::vector<int>>({1, 2}),
              IsOkAndHolds(ElementsAre(1, 2)));
  EXPECT_THAT(absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(5)),
              IsOkAndHolds(Pointee(5)));
}

TEST(StatusMatchersTest, AssignMovesTheValueOut) {
  ASSERT_OK_AND_ASSIGN(
      std::unique_ptr<int> five,
      absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(5)));
  EXPECT_EQ(*five, 5);
}

TEST(StatusMatchersTest, FailuresShowTheStatus) {
  EXPECT_NONFATAL_FAILURE(EXPECT_OK(leveldb::Status::IOError("disk", "gone")),
                          "IO error: disk: gone");
  EXPECT_NONFATAL_FAILURE(EXPECT_OK(absl::AbortedError("gone")),
                          "ABORTED: gone");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(absl::AbortedError("gone"),
                  StatusIs(absl::StatusCode::kDataLoss, "here")),
      "is DATA_LOSS with a message that is equal to \"here\"");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(leveldb::Status::OK(),
                  LevelDbStatusIs(LevelDbCode::kNotSupported)),
      "is NotSupported with a message that is anything");
}

}  // namespace
}  // namespace shardingdb
