// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/raw_kek.h"

#include <sys/stat.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/file_for_test.h"
#include "crypto/kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::ContentsOf;
using crypto_internal::ModeOf;
using crypto_internal::PutFile;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using KekPtr = std::unique_ptr<KekProvider>;

constexpr char kHex[] =
    "6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6B";

class RawKekTest : public ::testing::Test {
 protected:
  TempDir dir_;
  const std::string path_ = dir_.Join("kek");
  const std::string key_ = std::string(32, 'k');
  const SecretBytes secret_{"a secret"};
};

TEST_F(RawKekTest, TheSameKeyFromEverySource) {
  PutFile(path_, key_);
  ::setenv("SDB_TEST_KEK", kHex, 1);
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, NewRawKek(SecretBytes(key_)));
  ASSERT_OK_AND_ASSIGN(const KekPtr file, RawKekFromFile(path_));
  ASSERT_OK_AND_ASSIGN(const KekPtr env, RawKekFromEnvironment("SDB_TEST_KEK"));
  for (const KekPtr* wraps : {&kek, &file, &env}) {
    ASSERT_OK_AND_ASSIGN(const std::string token,
                         (*wraps)->Wrap(secret_, "context"));
    EXPECT_THAT(token, StartsWith("raw "));
    for (const KekPtr* unwraps : {&kek, &file, &env}) {
      ASSERT_OK_AND_ASSIGN(const SecretBytes again,
                           (*unwraps)->Unwrap(token, "context"));
      EXPECT_TRUE(again == secret_);
    }
  }
}

TEST_F(RawKekTest, AnotherKeyContextOrTokenIsTheWrongKey) {
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, NewRawKek(SecretBytes(key_)));
  ASSERT_OK_AND_ASSIGN(const KekPtr other,
                       NewRawKek(SecretBytes(std::string(32, 'l'))));
  ASSERT_OK_AND_ASSIGN(std::string token, kek->Wrap(secret_, "context"));
  const auto is_wrong_key =
      StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("wrong key"));
  EXPECT_THAT(other->Unwrap(token, "context"), is_wrong_key);
  EXPECT_THAT(kek->Unwrap(token, "Context"), is_wrong_key);
  EXPECT_THAT(kek->Unwrap("scrypt 2 1 1 00 00", "context"), is_wrong_key);
  token.back() = token.back() == '0' ? '1' : '0';
  EXPECT_THAT(kek->Unwrap(token, "context"), is_wrong_key);
}

TEST_F(RawKekTest, WhatIsNoTokenIsDataLoss) {
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, NewRawKek(SecretBytes(key_)));
  for (const char* token : {"raw ", "raw 00", "raw 0", "raw xyz", "raw  00"}) {
    EXPECT_THAT(kek->Unwrap(token, ""), StatusIs(absl::StatusCode::kDataLoss))
        << token;
  }
}

TEST_F(RawKekTest, AKeyIs32Bytes) {
  for (const size_t size : {0, 31, 33, 64}) {
    EXPECT_THAT(NewRawKek(SecretBytes(std::string(size, 'k'))),
                StatusIs(absl::StatusCode::kInvalidArgument));
    PutFile(path_, std::string(size, 'k'));
    EXPECT_THAT(RawKekFromFile(path_),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(path_), HasSubstr("a key is 32"),
                               Not(HasSubstr("kkk")))));
  }
}

TEST_F(RawKekTest, AFileThatOthersMayReadIsRefused) {
  PutFile(path_, key_, 0640);
  EXPECT_THAT(RawKekFromFile(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("run: chmod 600 " + path_)));
  EXPECT_THAT(RawKekFromFile(dir_.Join("missing")),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(RawKekFromFile(dir_.path()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("not a regular file")));
}

TEST_F(RawKekTest, AVariableIs64Digits) {
  ::unsetenv("SDB_TEST_KEK");
  EXPECT_THAT(RawKekFromEnvironment("SDB_TEST_KEK"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("SDB_TEST_KEK")));
  const std::string hex = kHex;
  for (const std::string& value :
       {std::string(), hex.substr(1), hex.substr(2), hex + "00", hex + " ",
        "x" + hex.substr(1)}) {
    ::setenv("SDB_TEST_KEK", value.c_str(), 1);
    EXPECT_THAT(
        RawKekFromEnvironment("SDB_TEST_KEK"),
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr("SDB_TEST_KEK"), Not(HasSubstr("6b6b")))));
  }
}

TEST_F(RawKekTest, AFreshFileIsPrivateAndEachHasAnotherKey) {
  ASSERT_OK(CreateRawKekFile(path_));
  EXPECT_EQ(ModeOf(path_), 0600u);
  EXPECT_EQ(ContentsOf(path_).size(), 32u);
  EXPECT_OK(RawKekFromFile(path_));
  const std::string before = ContentsOf(path_);
  EXPECT_THAT(CreateRawKekFile(path_),
              StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_EQ(ContentsOf(path_), before);
  ASSERT_OK(CreateRawKekFile(dir_.Join("other")));
  EXPECT_NE(ContentsOf(dir_.Join("other")), before);
}

}  // namespace
}  // namespace shardingdb
