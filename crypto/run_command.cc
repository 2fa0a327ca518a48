// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "crypto/posix_error.h"

namespace shardingdb::crypto_internal {
namespace {

// Both ends of a pipe; neither is inherited.
class Pipe {
 public:
  Pipe() : error_(::pipe2(ends_, O_CLOEXEC) == 0 ? 0 : errno) {}
  ~Pipe() {
    Close(0);
    Close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int error() const { return error_; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void CloseReader() { Close(0); }
  void CloseWriter() { Close(1); }

 private:
  void Close(int end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

  int ends_[2] = {-1, -1};
  const int error_;
};

// A running program that does not outlive this object.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    int status;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Whether it has ended; then `*status` is how.
  bool HasEnded(int* status) {
    const pid_t ended = ::waitpid(pid_, status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
    // Where this process ignores SIGCHLD nobody is told how a child ended.
    if (ended < 0) *status = SIGKILL;
    pid_ = 0;
    return true;
  }

 private:
  pid_t pid_;
};

int Start(const std::vector<std::string>& arguments, const Pipe& in,
          const Pipe& out, pid_t* pid) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, in.reader(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, out.writer(), STDOUT_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t signals;
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  ::sigaddset(&signals, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error =
      ::posix_spawn(pid, argv[0], &files, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return error;
}

int MillisecondsUntil(absl::Time deadline) {
  const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

absl::Status Late(const std::string& path) {
  return absl::DeadlineExceededError(
      absl::StrCat(path, ": took too long, and was killed"));
}

// Reads to the end, at most `size` bytes, of which `*got` were read.
absl::Status ReadAll(int descriptor, const std::string& path,
                     absl::Time deadline, char* data, size_t size,
                     size_t* got) {
  *got = 0;
  while (*got < size) {
    struct ::pollfd wanted = {descriptor, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, MillisecondsUntil(deadline));
    if (ready == 0) return Late(path);
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t read = ::read(descriptor, data + *got, size - *got);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return PosixError(path, errno);
    if (read == 0) return absl::OkStatus();
    *got += static_cast<size_t>(read);
  }
  return absl::OkStatus();
}

absl::StatusOr<int> AwaitExit(Child* child, const std::string& path,
                              absl::Time deadline) {
  int status = 0;
  while (!child->HasEnded(&status)) {
    const int left = MillisecondsUntil(deadline);
    if (left == 0) return Late(path);
    // It has closed its output, so this is about its last instructions.
    ::poll(nullptr, 0, std::min(left, 5));
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return absl::UnavailableError(
      absl::StrCat(path, ": ended by signal ", WTERMSIG(status)));
}

}  // namespace

absl::StatusOr<CommandResult> RunCommand(
    const std::vector<std::string>& arguments, absl::string_view input,
    size_t max_output, absl::Duration timeout) {
  if (arguments.empty() || arguments[0].empty() || arguments[0][0] != '/') {
    return absl::InvalidArgumentError(
        "a command is a list that begins with an absolute path");
  }
  const std::string& path = arguments[0];
  const absl::Time deadline = absl::Now() + timeout;
  Pipe in;
  Pipe out;
  if (in.error() != 0) return PosixError(path, in.error());
  if (out.error() != 0) return PosixError(path, out.error());
  // All of it before the program starts: it fits, so this neither waits nor
  // meets a program that does not read.
  const ssize_t written = ::write(in.writer(), input.data(), input.size());
  if (written != static_cast<ssize_t>(input.size())) {
    return absl::UnavailableError(
        absl::StrCat(path, ": cannot pass the input"));
  }
  in.CloseWriter();
  pid_t pid = 0;
  const int error = Start(arguments, in, out, &pid);
  if (error != 0) {
    return absl::UnavailableError(
        absl::StrCat(PosixError(path, error).message(), " (cannot start it)"));
  }
  Child child(pid);
  in.CloseReader();
  out.CloseWriter();
  SecretBytes buffer = SecretBytes::Zeros(max_output + 1);
  size_t got = 0;
  absl::Status status = ReadAll(out.reader(), path, deadline,
                                buffer.mutable_data(), buffer.size(), &got);
  if (!status.ok()) return status;
  if (got > max_output) {
    return absl::UnavailableError(
        absl::StrCat(path, ": wrote more than ", max_output, " bytes"));
  }
  const absl::StatusOr<int> exit_code = AwaitExit(&child, path, deadline);
  if (!exit_code.ok()) return exit_code.status();
  CommandResult result;
  result.exit_code = *exit_code;
  result.output = SecretBytes(buffer.reveal().substr(0, got));
  return result;
}

}  // namespace shardingdb::crypto_internal
