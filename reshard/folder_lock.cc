// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

absl::Status CannotOpen(const std::string& path, int error) {
  const std::string message = absl::StrCat(path, ": ", std::strerror(error));
  return error == EACCES || error == EPERM
             ? absl::PermissionDeniedError(message)
             : absl::UnavailableError(message);
}

// False if somebody else has it. A file system that knows no such locks (some
// network ones) leaves the protection to LevelDB's own.
bool TakeWholeFile(int descriptor) {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FolderLock>> FolderLock::Take(
    const std::string& folder) {
  const int descriptor =
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return CannotOpen(folder, errno);
  const std::string lock_path = absl::StrCat(folder, "/LOCK");
  const int lock_file = ::open(lock_path.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = lock_file < 0 ? errno : 0;
  std::unique_ptr<FolderLock> lock(new FolderLock(descriptor, lock_file));
  if (error != 0 && error != ENOENT) return CannotOpen(lock_path, error);
  if (!TakeWholeFile(descriptor)) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, ": locked: another reshard is at work there"));
  }
  if (lock_file >= 0 && !TakeWholeFile(lock_file)) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, ": locked: a program has the database open"));
  }
  return lock;
}

FolderLock::~FolderLock() {
  if (lock_file_ >= 0) ::close(lock_file_);
  ::close(folder_);
}

}  // namespace shardingdb
