// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/report_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

namespace fs = std::filesystem;

// "bazel run" starts programs elsewhere, and says where the user is.
fs::path AsTyped(const std::string& named) {
  const char* const folder = ::getenv("BUILD_WORKING_DIRECTORY");
  const fs::path path = fs::path(folder == nullptr ? "." : folder) / named;
  std::error_code error;
  // A link stays one.
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical;
}

absl::Status Error(int error, absl::string_view path) {
  return absl::ErrnoToStatus(error, absl::StrCat("cannot write ", path));
}

}  // namespace

absl::StatusOr<ReportFile> ReportFile::New(const std::string& named) {
  const fs::path path = AsTyped(named);
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (path.filename().empty() ||
      (fs::exists(status) && !fs::is_regular_file(status))) {
    return absl::FailedPreconditionError(
        absl::StrCat(path.string(), " is no file that could be replaced"));
  }
  std::string temporary = absl::StrCat(path.string(), ".new.", ::getpid());
  const int fd =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return Error(errno, path.string());
  ::close(fd);
  return ReportFile(path.string(), std::move(temporary));
}

ReportFile::~ReportFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

absl::Status ReportFile::Commit(absl::string_view text) {
  const int fd = ::open(temporary_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (fd < 0) return Error(errno, path_);
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) error = errno;
    if (n > 0) text.remove_prefix(static_cast<size_t>(n));
  }
  if (error == 0 && ::fsync(fd) != 0) error = errno;
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary_.c_str(), path_.c_str()) != 0)
    error = errno;
  if (error != 0) return Error(error, path_);
  temporary_.clear();
  return absl::OkStatus();
}

}  // namespace shardingdb
