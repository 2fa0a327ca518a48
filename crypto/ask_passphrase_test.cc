// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/ask_passphrase.h"

#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A process that asks, at a terminal of its own.
class Asking {
 public:
  // The process ends with what `ask` returns.
  explicit Asking(const std::function<int()>& ask) {
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (pid_ == 0) ::_exit(ask());
  }
  ~Asking() { ::close(terminal_); }

  // Reads what the terminal shows until that holds `text`.
  void Await(const std::string& text) {
    while (!absl::StrContains(shown_, text)) {
      char buffer[256];
      const ssize_t got = ::read(terminal_, buffer, sizeof(buffer));
      ASSERT_GT(got, 0) << shown_;
      shown_.append(buffer, static_cast<size_t>(got));
    }
  }

  void Type(const std::string& text) {
    ASSERT_EQ(::write(terminal_, text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }

  // As the terminal does when somebody presses Ctrl-C.
  void Interrupt() { ASSERT_EQ(::kill(pid_, SIGINT), 0); }

  bool Echoes() {
    struct ::termios now;
    EXPECT_EQ(::tcgetattr(terminal_, &now), 0);
    return (now.c_lflag & ECHO) != 0;
  }

  // How the process ended.
  int AwaitEnd() {
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    return status;
  }

  const std::string& shown() const { return shown_; }

 private:
  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string shown_;
};

int AskAndCompare(const char* expected) {
  const absl::StatusOr<SecretBytes> answer = AskPassphrase("Say it: ");
  if (!answer.ok()) return 100 + static_cast<int>(answer.status().code());
  return answer->reveal() == expected ? 0 : 1;
}

TEST(AskPassphraseTest, ALineThatIsNotShown) {
  Asking process([] {
    const int result = AskAndCompare("my pass phrase");
    return ::write(STDOUT_FILENO, "done", 4) == 4 ? result : 99;
  });
  process.Await("Say it: ");
  EXPECT_FALSE(process.Echoes());
  process.Type("my pass phrase\n");
  process.Await("done");
  EXPECT_TRUE(process.Echoes());
  const int status = process.AwaitEnd();
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_THAT(process.shown(), Not(HasSubstr("pass phrase")));
}

TEST(AskPassphraseTest, TheEndOfTheInputIsNoPassphrase) {
  Asking process([] { return AskAndCompare(""); });
  process.Await("Say it: ");
  process.Type("\x04");
  const int status = process.AwaitEnd();
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status),
            100 + static_cast<int>(absl::StatusCode::kCancelled));
}

TEST(AskPassphraseTest, ASignalEndsTheProcessWithTheTerminalAsItWas) {
  Asking process([] {
    ::signal(SIGINT, SIG_DFL);
    return AskAndCompare("");
  });
  process.Await("Say it: ");
  process.Type("half");
  process.Interrupt();
  const int status = process.AwaitEnd();
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
  EXPECT_TRUE(process.Echoes());
}

TEST(AskPassphraseTest, WithoutATerminal) {
  const pid_t pid = ::fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    ::setsid();
    ::_exit(AskAndCompare(""));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(WEXITSTATUS(status),
            100 + static_cast<int>(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
