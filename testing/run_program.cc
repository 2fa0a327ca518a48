// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

std::string ProgramResult::LastLine() const {
  const size_t end = out.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const size_t newline = out.rfind('\n', end);
  const size_t begin = newline == std::string::npos ? 0 : newline + 1;
  return out.substr(begin, end + 1 - begin);
}

ProgramResult RunProgram(const std::string& program,
                         const std::vector<std::string>& arguments) {
  // Tests start in the root of the repository's runfiles.
  const std::string path = program[0] == '/' ? program : "./" + program;
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  const TempDir dir;
  const std::string out = dir.Join("out");
  const std::string err = dir.Join("err");
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), kFlags,
                                     0600);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), kFlags,
                                     0600);
  ProgramResult result;
  pid_t pid = 0;
  const int error =
      ::posix_spawn(&pid, path.c_str(), &files, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    ADD_FAILURE() << "cannot start " << path << ": " << std::strerror(error);
    return result;
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = Contents(out);
  result.err = Contents(err);
  return result;
}

}  // namespace shardingdb
