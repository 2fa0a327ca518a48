// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "flags/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

// Of the process.
const char* program_name = "";
int failed_exit_code = 1;
int stdout_error = 0;  // the first one

// Allocates nothing.
void EndWithoutMemory() {
  constexpr char kText[] =
      ": out of memory: run the same command again with more memory\n";
  // If nobody can be told, the exit code is all there is.
  (void)!::write(STDERR_FILENO, program_name, std::strlen(program_name));
  (void)!::write(STDERR_FILENO, kText, sizeof(kText) - 1);
  ::_exit(failed_exit_code);
}

}  // namespace

void StartProgram(const char* name, int exit_code) {
  program_name = name;
  failed_exit_code = exit_code;
  std::set_new_handler(EndWithoutMemory);
  std::signal(SIGXFSZ, SIG_IGN);
  // The lowest free number is taken. One for reading, so that writing fails.
  int descriptor = 0;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) {
    descriptor = ::open("/dev/null", O_RDONLY);
  }
  if (descriptor > STDERR_FILENO) ::close(descriptor);
}

void WriteTo(std::FILE* file, absl::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
      std::fflush(file) == 0) {
    return;
  }
  if (file == stdout && stdout_error == 0) stdout_error = errno;
}

int EndProgram(int code) {
  if (stdout_error == 0) return code;
  WriteTo(stderr,
          absl::StrCat(program_name, ": cannot write to standard output: ",
                       std::strerror(stdout_error),
                       code == 0 ? " (all else is done)\n" : "\n"));
  return failed_exit_code;
}

}  // namespace shardingdb
