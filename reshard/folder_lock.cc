// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
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

}  // namespace

absl::StatusOr<std::unique_ptr<FolderLock>> FolderLock::Take(
    const std::string& folder) {
  const int descriptor =
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return CannotOpen(folder, errno);
  const std::string lock_path = absl::StrCat(folder, "/LOCK");
  int error = 0;
  std::unique_ptr<LockDescriptor> lock_file =
      LockDescriptor::Open(lock_path, &error);
  std::unique_ptr<FolderLock> lock(
      new FolderLock(folder, descriptor, std::move(lock_file)));
  if (error != 0 && error != ENOENT) return CannotOpen(lock_path, error);
  // A file system that knows no such locks (some network ones) leaves the
  // protection to LevelDB's own.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, ": locked: another reshard is at work there"));
  }
  if (lock->lock_file_ == nullptr) return lock;
  error = lock->lock_file_->LockOutGoLevelDb();
  if (error == EAGAIN) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, ": locked: a program has the database open"));
  }
  if (error != 0) return CannotOpen(lock_path, error);
  return lock;
}

absl::Status FolderLock::CheckInPlace() const {
  struct ::stat locked;
  struct ::stat found;
  if (::fstat(folder_, &locked) == 0 && ::stat(path_.c_str(), &found) == 0 &&
      found.st_dev == locked.st_dev && found.st_ino == locked.st_ino) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      path_,
      ": is gone, or another folder than the one that this command has locked: "
      "bring that back and run the same command again"));
}

FolderLock::~FolderLock() { ::close(folder_); }

}  // namespace shardingdb
