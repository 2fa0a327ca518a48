// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/durable_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

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

}  // namespace

absl::Status SyncFolder(const std::string& folder) {
  const int descriptor =
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return PosixError(folder, errno);
  absl::Status status;
  // EINVAL: a file system that has no way to sync a folder, and no need.
  if (::fsync(descriptor) != 0 && errno != EINVAL) {
    status = PosixError(folder, errno);
  }
  ::close(descriptor);
  return status;
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
