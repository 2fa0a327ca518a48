// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/ask_passphrase.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "crypto/posix_error.h"

namespace shardingdb::crypto_internal {
namespace {

constexpr char kTerminal[] = "/dev/tty";
constexpr size_t kMaxSize = 1024;

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
volatile sig_atomic_t caught = 0;

// While it lives, signals that end the process wait; afterwards they are
// delivered, as if they came then.
class HeldSignals {
 public:
  HeldSignals() {
    caught = 0;
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : kSignals) ::sigaddset(&signals, signal);
    ::sigprocmask(SIG_BLOCK, &signals, &former_mask_);
    struct ::sigaction action = {};
    action.sa_handler = [](int signal) { caught = signal; };
    for (size_t i = 0; i < kCount; ++i) {
      ::sigaction(kSignals[i], &action, &former_[i]);
    }
  }
  ~HeldSignals() {
    for (size_t i = 0; i < kCount; ++i) {
      ::sigaction(kSignals[i], &former_[i], nullptr);
    }
    ::sigprocmask(SIG_SETMASK, &former_mask_, nullptr);
    if (caught != 0) ::raise(caught);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  // Waits until there is something to read, or such a signal: then it is false.
  bool AwaitInput(int terminal) const {
    struct ::pollfd wanted = {terminal, POLLIN, 0};
    // Signals come in here and nowhere else, so none is missed.
    while (::ppoll(&wanted, 1, nullptr, &former_mask_) < 0 && errno == EINTR) {
      if (caught != 0) return false;
    }
    return true;
  }

 private:
  static constexpr size_t kCount = sizeof(kSignals) / sizeof(kSignals[0]);
  struct ::sigaction former_[kCount];
  sigset_t former_mask_;
};

// While it lives, the terminal does not show what is typed.
class SilentTerminal {
 public:
  explicit SilentTerminal(int terminal) : terminal_(terminal) {
    known_ = ::tcgetattr(terminal_, &former_) == 0;
    if (!known_) return;
    struct ::termios silent = former_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK | ECHONL);
    silent_ = ::tcsetattr(terminal_, TCSAFLUSH, &silent) == 0;
  }
  ~SilentTerminal() {
    if (known_) ::tcsetattr(terminal_, TCSANOW, &former_);
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;

  bool silent() const { return silent_; }

 private:
  const int terminal_;
  bool known_ = false;
  bool silent_ = false;
  struct ::termios former_;
};

bool Show(int terminal, absl::string_view text) {
  return ::write(terminal, text.data(), text.size()) ==
         static_cast<ssize_t>(text.size());
}

absl::StatusOr<SecretBytes> ReadLine(int terminal, const HeldSignals& held) {
  SecretBytes line = SecretBytes::Zeros(kMaxSize);
  size_t size = 0;
  for (;;) {
    char c = 0;
    const ssize_t got = held.AwaitInput(terminal) ? ::read(terminal, &c, 1) : 0;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return PosixError(kTerminal, errno);
    if (got == 0) return absl::CancelledError("no passphrase was given");
    if (c == '\n') return SecretBytes(line.reveal().substr(0, size));
    if (size == kMaxSize) {
      return absl::InvalidArgumentError("the passphrase is too long");
    }
    line.mutable_data()[size++] = c;
  }
}

absl::StatusOr<SecretBytes> Ask(int terminal, absl::string_view prompt) {
  const HeldSignals held;
  const SilentTerminal silent(terminal);
  if (!silent.silent() || !Show(terminal, prompt)) {
    return absl::FailedPreconditionError("the terminal cannot be asked");
  }
  absl::StatusOr<SecretBytes> line = ReadLine(terminal, held);
  Show(terminal, "\n");
  return line;
}

}  // namespace

absl::StatusOr<SecretBytes> AskPassphrase(absl::string_view prompt) {
  const int terminal = ::open(kTerminal, O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) {
    return absl::FailedPreconditionError(
        "there is no terminal to ask for a passphrase");
  }
  absl::StatusOr<SecretBytes> line = Ask(terminal, prompt);
  ::close(terminal);
  return line;
}

}  // namespace shardingdb::crypto_internal
