// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/status.h"

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// What LevelDB makes of a failed system call.
leveldb::Status SystemError(const std::string& file, int error) {
  return leveldb::Status::IOError(file, std::strerror(error));
}

TEST(MessageOfTest, IsTheTextBehindTheCode) {
  EXPECT_EQ(MessageOf(leveldb::Status::OK()), "");
  EXPECT_EQ(MessageOf(leveldb::Status::NotFound("")), "");
  EXPECT_EQ(MessageOf(leveldb::Status::NotSupported("a")), "a");
  EXPECT_EQ(MessageOf(leveldb::Status::IOError("a: b", "c")), "a: b: c");
}

TEST(AnnotateTest, KeepsTheCodeOfALevelDbStatus) {
  EXPECT_OK(Annotate(leveldb::Status::OK(), "shard 3"));
  EXPECT_THAT(Annotate(leveldb::Status::NotFound("x"), "shard 3"),
              LevelDbStatusIs(LevelDbCode::kNotFound, "shard 3: x"));
  EXPECT_THAT(Annotate(leveldb::Status::Corruption("x", "y"), "shard 3"),
              LevelDbStatusIs(LevelDbCode::kCorruption, "shard 3: x: y"));
  EXPECT_THAT(Annotate(leveldb::Status::NotSupported("x"), "shard 3"),
              LevelDbStatusIs(LevelDbCode::kNotSupported, "shard 3: x"));
  EXPECT_THAT(Annotate(leveldb::Status::InvalidArgument("x"), "shard 3"),
              LevelDbStatusIs(LevelDbCode::kInvalidArgument, "shard 3: x"));
  EXPECT_THAT(Annotate(leveldb::Status::IOError("x"), "shard 3"),
              LevelDbStatusIs(LevelDbCode::kIOError, "shard 3: x"));
}

TEST(AnnotateTest, KeepsTheCodeAndThePayloadsOfAnAbslStatus) {
  EXPECT_OK(Annotate(absl::OkStatus(), "shard 3"));
  absl::Status status = absl::AbortedError("x");
  status.SetPayload("type", absl::Cord("payload"));
  const absl::Status annotated = Annotate(status, "shard 3");
  EXPECT_THAT(annotated, StatusIs(absl::StatusCode::kAborted, "shard 3: x"));
  EXPECT_EQ(annotated.GetPayload("type"), absl::Cord("payload"));
}

TEST(AnnotatePathTest, SaysNothingTwice) {
  const auto message = [](absl::string_view text, absl::string_view path) {
    const absl::Status status = AnnotatePath(absl::DataLossError(text), path);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    return std::string(status.message());
  };
  EXPECT_OK(AnnotatePath(absl::OkStatus(), "/a"));
  EXPECT_EQ(message("x", "/a"), "/a: x");
  EXPECT_EQ(message("", "/a"), "/a: ");
  EXPECT_EQ(message("/a: x", "/a"), "/a: x");
  EXPECT_EQ(message("/a/LOCK: x", "/a"), "/a/LOCK: x");
  EXPECT_EQ(message("/a/LOCK: x", "/a/"), "/a/LOCK: x");
  EXPECT_EQ(message("/ab: x", "/a"), "/a: /ab: x");
  EXPECT_EQ(message("/a: x", "/a/b"), "/a/b: /a: x");
}

TEST(AnnotatePathTest, KnowsAPathThatIsNotPrintable) {
  EXPECT_THAT(
      AnnotatePath(ToAbslStatus(SystemError("/\xff/LOCK", EIO)), "/\xff"),
      StatusIs(absl::StatusCode::kUnavailable,
               absl::StrCat("/\\xff/LOCK: ", std::strerror(EIO))));
  EXPECT_THAT(AnnotatePath(absl::DataLossError("x"), "/\xff"),
              StatusIs(absl::StatusCode::kDataLoss, "/\\xff: x"));
}

TEST(ToAbslStatusTest, TheMessageIsPrintable) {
  EXPECT_THAT(ToAbslStatus(leveldb::Status::Corruption("a\x1b[2J\xff", "ö")),
              StatusIs(absl::StatusCode::kDataLoss, "a\\x1b[2J\\xff: ö"));
}

TEST(ToAbslStatusTest, MapsEachCode) {
  EXPECT_OK(ToAbslStatus(leveldb::Status::OK()));
  EXPECT_THAT(ToAbslStatus(leveldb::Status::NotFound("x")),
              StatusIs(absl::StatusCode::kNotFound, "x"));
  EXPECT_THAT(ToAbslStatus(leveldb::Status::Corruption("x")),
              StatusIs(absl::StatusCode::kDataLoss, "x"));
  EXPECT_THAT(ToAbslStatus(leveldb::Status::NotSupported("x")),
              StatusIs(absl::StatusCode::kUnimplemented, "x"));
  EXPECT_THAT(ToAbslStatus(leveldb::Status::InvalidArgument("x")),
              StatusIs(absl::StatusCode::kInvalidArgument, "x"));
  EXPECT_THAT(ToAbslStatus(leveldb::Status::IOError("x")),
              StatusIs(absl::StatusCode::kUnavailable, "x"));
}

TEST(ToAbslStatusTest, TellsReasonsOfAnIOErrorApart) {
  const struct {
    int error;
    absl::StatusCode code;
  } kCases[] = {
      {ENOSPC, absl::StatusCode::kResourceExhausted},
      {EDQUOT, absl::StatusCode::kResourceExhausted},
      {EMFILE, absl::StatusCode::kResourceExhausted},
      {ENFILE, absl::StatusCode::kResourceExhausted},
      {EACCES, absl::StatusCode::kPermissionDenied},
      {EPERM, absl::StatusCode::kPermissionDenied},
      {EROFS, absl::StatusCode::kPermissionDenied},
      {ENOTDIR, absl::StatusCode::kFailedPrecondition},
      {EIO, absl::StatusCode::kUnavailable},
      {EAGAIN, absl::StatusCode::kUnavailable},
  };
  for (const auto& c : kCases) {
    const leveldb::Status status = SystemError("/d/000005.ldb", c.error);
    EXPECT_THAT(ToAbslStatus(status),
                StatusIs(c.code, EndsWith(std::strerror(c.error))));
    EXPECT_THAT(ToAbslStatus(Annotate(status, "shard 3")),
                StatusIs(c.code, HasSubstr("shard 3: /d/000005.ldb")));
  }
}

TEST(ToAbslStatusTest, AFileNameIsNotAReason) {
  const std::string file = absl::StrCat("/", std::strerror(ENOSPC), "/LOCK");
  EXPECT_THAT(ToAbslStatus(SystemError(file, EIO)),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST(ToAbslStatusTest, ALockOfAnotherProcess) {
  EXPECT_THAT(ToAbslStatus(SystemError("lock /d/LOCK", EAGAIN)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("another process has the database open")));
}

TEST(ToAbslStatusTest, ALockOfThisProcess) {
  TempDir dir;
  leveldb::Env* const env = leveldb::Env::Default();
  leveldb::FileLock* lock = nullptr;
  ASSERT_OK(env->LockFile(dir.Join("LOCK"), &lock));
  leveldb::FileLock* second = nullptr;
  EXPECT_THAT(ToAbslStatus(env->LockFile(dir.Join("LOCK"), &second)),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_OK(env->UnlockFile(lock));
}

TEST(ToLevelDbStatusTest, KeepsCodesThatLevelDbHas) {
  EXPECT_OK(ToLevelDbStatus(absl::OkStatus()));
  EXPECT_THAT(ToLevelDbStatus(absl::NotFoundError("x")),
              LevelDbStatusIs(LevelDbCode::kNotFound, "x"));
  EXPECT_THAT(ToLevelDbStatus(absl::DataLossError("x")),
              LevelDbStatusIs(LevelDbCode::kCorruption, "x"));
  EXPECT_THAT(ToLevelDbStatus(absl::UnimplementedError("x")),
              LevelDbStatusIs(LevelDbCode::kNotSupported, "x"));
  EXPECT_THAT(ToLevelDbStatus(absl::InvalidArgumentError("x")),
              LevelDbStatusIs(LevelDbCode::kInvalidArgument, "x"));
  EXPECT_THAT(ToLevelDbStatus(absl::UnavailableError("x")),
              LevelDbStatusIs(LevelDbCode::kIOError, "x"));
}

TEST(ToLevelDbStatusTest, NamesCodesThatLevelDbLacks) {
  EXPECT_THAT(
      ToLevelDbStatus(absl::AlreadyExistsError("x")),
      LevelDbStatusIs(LevelDbCode::kInvalidArgument, "ALREADY_EXISTS: x"));
  EXPECT_THAT(
      ToLevelDbStatus(absl::OutOfRangeError("x")),
      LevelDbStatusIs(LevelDbCode::kInvalidArgument, "OUT_OF_RANGE: x"));
  EXPECT_THAT(ToLevelDbStatus(absl::FailedPreconditionError("x")),
              LevelDbStatusIs(LevelDbCode::kIOError, "FAILED_PRECONDITION: x"));
  EXPECT_THAT(ToLevelDbStatus(absl::ResourceExhaustedError("x")),
              LevelDbStatusIs(LevelDbCode::kIOError, "RESOURCE_EXHAUSTED: x"));
}

}  // namespace
}  // namespace shardingdb
