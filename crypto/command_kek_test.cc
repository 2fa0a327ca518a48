// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/command_kek.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "crypto/file_for_test.h"
#include "crypto/kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::PutFile;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using KekPtr = std::unique_ptr<KekProvider>;

class CommandKekTest : public ::testing::Test {
 protected:
  // A KEK that is this shell script; its arguments are "x y", what, context.
  KekPtr Script(const std::string& script,
                absl::Duration timeout = absl::Seconds(60)) {
    const std::string path = dir_.Join("command");
    PutFile(path, "#!/bin/sh\n" + script + "\n", 0700);
    absl::StatusOr<KekPtr> kek = NewCommandKek({path, "x y"}, timeout);
    EXPECT_OK(kek);
    return *std::move(kek);
  }

  TempDir dir_;
  const SecretBytes secret_{std::string("a\0secret\n", 9)};
};

// Enough of a service for a test: it puts the context in front.
TEST_F(CommandKekTest, ThereAndBack) {
  const KekPtr kek = Script("in=" + dir_.Join("in") + R"sh(
    cat >"$in"
    case $2 in
      wrap) printf %s "$3"; exec cat "$in" ;;
      unwrap) test "$(head -c ${#3} "$in")" = "$3" || exit 3
              exec tail -c +$((${#3} + 1)) "$in" ;;
    esac
    exit 9)sh");
  ASSERT_OK_AND_ASSIGN(const std::string token, kek->Wrap(secret_, "context"));
  EXPECT_THAT(token, StartsWith("command "));
  ASSERT_OK_AND_ASSIGN(const SecretBytes again, kek->Unwrap(token, "context"));
  EXPECT_TRUE(again == secret_);
  EXPECT_THAT(
      kek->Unwrap(token, "contexT"),
      StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("wrong key")));
}

TEST_F(CommandKekTest, AnotherExitCodeIsNotTheWrongKey) {
  const KekPtr kek = Script("cat >&2; exit 1");
  EXPECT_THAT(kek->Wrap(secret_, ""), StatusIs(absl::StatusCode::kUnavailable,
                                               HasSubstr("exit code 1")));
  EXPECT_THAT(kek->Unwrap("command 00", ""),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(CommandKekTest, NothingIsNoSecret) {
  const KekPtr kek = Script("exit 0");
  EXPECT_THAT(kek->Wrap(secret_, ""), StatusIs(absl::StatusCode::kUnavailable,
                                               HasSubstr("wrote nothing")));
}

TEST_F(CommandKekTest, TooMuchOrTooLateIsAnError) {
  EXPECT_THAT(Script("exec cat /dev/zero")->Wrap(secret_, ""),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(
      Script("exec sleep 1000", absl::Milliseconds(50))->Wrap(secret_, ""),
      StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(Script("exec cat")->Wrap(SecretBytes::Zeros(4097), ""),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(CommandKekTest, WhatIsNoTokenNeverReachesTheCommand) {
  const KekPtr kek = Script("exec cat");
  EXPECT_THAT(
      kek->Unwrap("raw 00", ""),
      StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("wrong key")));
  for (const std::string& token :
       {std::string("command "), std::string("command 0"),
        std::string("command xx"), "command " + std::string(2 * 4097, '0')}) {
    EXPECT_THAT(kek->Unwrap(token, ""), StatusIs(absl::StatusCode::kDataLoss));
  }
}

TEST_F(CommandKekTest, ACommandHasAnAbsolutePath) {
  EXPECT_THAT(NewCommandKek({}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(NewCommandKek({"cat"}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(NewCommandKek({""}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace shardingdb
