// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/private_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/file_for_test.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/unprivileged.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class PrivateFileTest : public ::testing::Test {
 protected:
  TempDir dir_;
  const std::string path_ = dir_.Join("file");
};

TEST_F(PrivateFileTest, AllOfIt) {
  for (const std::string& bytes :
       {std::string(), std::string("a\0b\n", 4), std::string(100000, 'x')}) {
    PutFile(path_, bytes);
    EXPECT_THAT(ReadPrivateFile(path_, 100000), IsOkAndHolds(bytes));
    ASSERT_OK_AND_ASSIGN(const SecretBytes secret,
                         ReadSecretFile(path_, 100000));
    EXPECT_EQ(secret.reveal(), bytes);
  }
}

TEST_F(PrivateFileTest, AnyRightOfOthersIsRefusedWithTheCommandToRun) {
  for (const ::mode_t mode : {0640, 0620, 0610, 0604, 0602, 0601, 0666, 0777}) {
    PutFile(path_, "secret", mode);
    EXPECT_THAT(ReadPrivateFile(path_, 100),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         EndsWith("run: chmod 600 " + path_)));
  }
  for (const ::mode_t mode : {0400, 0600, 0700}) {
    PutFile(path_, "secret", mode);
    EXPECT_THAT(ReadPrivateFile(path_, 100), IsOkAndHolds("secret"));
  }
}

TEST_F(PrivateFileTest, TheCommandIsRightForAnyName) {
  const std::string path = dir_.Join("it's $HOME");
  PutFile(path, "secret", 0644);
  EXPECT_THAT(ReadPrivateFile(path, 100),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       EndsWith("/it'\\''s $HOME'")));
}

TEST_F(PrivateFileTest, AMissingFileIsNotFound) {
  EXPECT_THAT(ReadPrivateFile(path_, 100),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path_)));
}

TEST_F(PrivateFileTest, WhatIsNoFileIsRefusedAtOnce) {
  EXPECT_THAT(ReadPrivateFile(dir_.path(), 100),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("not a regular file")));
  // Nobody ever writes to it.
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(ReadPrivateFile(path_, 100),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("not a regular file")));
  EXPECT_THAT(ReadPrivateFile("/dev/zero", 100),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("not a regular file")));
}

TEST_F(PrivateFileTest, ALinkIsFollowed) {
  PutFile(dir_.Join("target"), "secret");
  ASSERT_EQ(::symlink("target", path_.c_str()), 0);
  EXPECT_THAT(ReadPrivateFile(path_, 100), IsOkAndHolds("secret"));
}

TEST_F(PrivateFileTest, TooLongIsRefused) {
  PutFile(path_, std::string(101, 'x'));
  EXPECT_THAT(ReadPrivateFile(path_, 100),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(path_), HasSubstr("101 bytes"))));
}

TEST_F(PrivateFileTest, WhatMayNotBeReadIsPermissionDenied) {
  PutFile(path_, "secret", 0000);
  const Unprivileged unprivileged;
  EXPECT_THAT(ReadPrivateFile(path_, 100),
              StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr(path_)));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
