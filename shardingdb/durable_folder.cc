// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/durable_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

absl::Status PosixError(const std::string& path, int error) {
  const std::string message = absl::StrCat(path, ": ", std::strerror(error));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
      return absl::ResourceExhaustedError(message);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(message);
    case ENOTDIR:
    case EEXIST:
      return absl::FailedPreconditionError(message);
    default:
      return absl::UnavailableError(message);
  }
}

absl::Status Sync(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (descriptor < 0) return PosixError(path, errno);
  absl::Status status;
  // EINVAL: a file system that has no way to sync a folder, and no need.
  if (::fsync(descriptor) != 0 && errno != EINVAL) {
    status = PosixError(path, errno);
  }
  ::close(descriptor);
  return status;
}

}  // namespace

absl::Status SyncFolder(const std::string& folder) {
  return Sync(folder, O_DIRECTORY);
}

absl::Status SyncFolderAndFiles(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error)) {
    // It is empty, and closing it would give up the locks of this process.
    if (file->path().filename() == "LOCK") continue;
    if (!file->is_regular_file(error)) continue;
    const absl::Status status = Sync(file->path().string(), 0);
    if (!status.ok()) return status;
  }
  if (error) return PosixError(folder, error.value());
  return SyncFolder(folder);
}

absl::Status MakeFolder(const std::string& folder) {
  struct ::stat found;
  if (::stat(folder.c_str(), &found) == 0) {
    return S_ISDIR(found.st_mode) ? absl::OkStatus()
                                  : PosixError(folder, ENOTDIR);
  }
  const std::string above = FolderAbove(folder);
  if (above != folder) {
    const absl::Status status = MakeFolder(above);
    if (!status.ok()) return status;
  }
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    return PosixError(folder, errno);
  }
  return SyncFolder(above);
}

std::string FolderAbove(const std::string& path) {
  const size_t end = path.find_last_not_of('/');
  const size_t slash = path.rfind('/', end);
  if (end == std::string::npos || slash == 0) return "/";
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace shardingdb
