// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/child_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

// What the child sends: one byte, the code of its status, and then the result
// or the message.
std::string Encode(const absl::StatusOr<std::string>& result) {
  const char code = static_cast<char>(result.status().code());
  return absl::StrCat(
      std::string(1, code),
      result.ok() ? *result : std::string(result.status().message()));
}

absl::StatusOr<std::string> Decode(const std::string& bytes) {
  const auto code = static_cast<absl::StatusCode>(bytes[0]);
  std::string rest = bytes.substr(1);
  if (code == absl::StatusCode::kOk) return rest;
  return absl::Status(code, rest);
}

[[noreturn]] void Child(int fd,
                        absl::FunctionRef<absl::StatusOr<std::string>()> work) {
  const std::string bytes = Encode(work());
  size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = ::write(fd, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);
    sent += static_cast<size_t>(n);
  }
  ::_exit(0);
}

std::string ReadAll(int fd) {
  std::string bytes;
  char buffer[4096];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(n));
  }
}

}  // namespace

absl::StatusOr<std::string> RunInChild(
    absl::FunctionRef<absl::StatusOr<std::string>()> work) {
  int fds[2];
  if (::pipe(fds) != 0) return absl::ErrnoToStatus(errno, "pipe");
  std::fflush(nullptr);  // so that the child does not write it once more
  const pid_t pid = ::fork();
  if (pid < 0) {
    const int error = errno;
    ::close(fds[0]);
    ::close(fds[1]);
    return absl::ErrnoToStatus(error, "fork");
  }
  if (pid == 0) {
    ::close(fds[0]);
    Child(fds[1], work);
  }
  ::close(fds[1]);
  const std::string bytes = ReadAll(fds[0]);
  ::close(fds[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    return absl::AbortedError(absl::StrCat(
        "the child process was ended by signal ", WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) != 0 || bytes.empty()) {
    return absl::AbortedError(absl::StrCat(
        "the child process ended with exit code ", WEXITSTATUS(status)));
  }
  return Decode(bytes);
}

}  // namespace shardingdb
