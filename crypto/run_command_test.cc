// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/run_command.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "crypto/file_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<CommandResult> Shell(
    const std::string& script, absl::string_view input,
    absl::Duration timeout = absl::Seconds(60)) {
  return RunCommand({"/bin/sh", "-c", script}, input, 4096, timeout);
}

TEST(RunCommandTest, InputOutputAndExitCode) {
  ASSERT_OK_AND_ASSIGN(const CommandResult result,
                       Shell("cat; echo end; exit 7", "in\n"));
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.output.reveal(), "in\nend\n");
}

TEST(RunCommandTest, ArgumentsAreNotForAShell) {
  ASSERT_OK_AND_ASSIGN(const CommandResult result,
                       RunCommand({"/bin/echo", "$HOME", "a b", ";", "\"'"}, "",
                                  100, absl::Seconds(60)));
  EXPECT_EQ(result.output.reveal(), "$HOME a b ; \"'\n");
}

TEST(RunCommandTest, ItNeedNotReadNorWrite) {
  ASSERT_OK_AND_ASSIGN(const CommandResult result,
                       Shell("exec <&- >&-", std::string(4096, 'x')));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.output.empty());
}

TEST(RunCommandTest, AllThatFitsAndNoMore) {
  const std::string input(4096, 'x');
  ASSERT_OK_AND_ASSIGN(const CommandResult result, Shell("cat", input));
  EXPECT_EQ(result.output.reveal(), input);
  EXPECT_THAT(Shell("cat; echo", input),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("more than 4096 bytes")));
  // It ends, though it would write for ever.
  EXPECT_THAT(
      RunCommand({"/bin/cat", "/dev/zero"}, "", 4096, absl::Seconds(60)),
      StatusIs(absl::StatusCode::kUnavailable));
}

TEST(RunCommandTest, WhatCannotBeStarted) {
  const TempDir dir;
  EXPECT_THAT(
      RunCommand({dir.Join("missing")}, "", 10, absl::Seconds(60)),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr(dir.Join("missing"))));
  PutFile(dir.Join("plain"), "x", 0600);
  EXPECT_THAT(RunCommand({dir.Join("plain")}, "", 10, absl::Seconds(60)),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(RunCommand({}, "", 10, absl::Seconds(60)),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(RunCommand({"sh", "-c", "true"}, "", 10, absl::Seconds(60)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(RunCommandTest, ASignalIsAnError) {
  EXPECT_THAT(Shell("kill -9 $$", ""),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("signal 9")));
}

TEST(RunCommandTest, WhatTakesTooLongIsKilled) {
  // One waits with its output open, the other has closed it.
  for (const char* script : {"exec sleep 1000", "exec >&-; exec sleep 1000"}) {
    EXPECT_THAT(
        Shell(script, "", absl::Milliseconds(50)),
        StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("/bin/sh")));
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
