// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "crypto/posix_error.h"

namespace shardingdb::crypto_internal {
namespace {

absl::Status Busy(const std::string& path) {
  return absl::AbortedError(absl::StrCat("another process is changing ", path));
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileLock>> FileLock::Take(
    const std::string& path) {
  // Writable: NFS makes of this a lock that needs it.
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return PosixError(path, errno);
  std::unique_ptr<FileLock> lock(new FileLock(descriptor));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Busy(path);
    const absl::Status status = PosixError(path, errno);
    return absl::UnavailableError(
        absl::StrCat(status.message(), " (it cannot be locked)"));
  }
  struct ::stat locked;
  struct ::stat current;
  if (::fstat(descriptor, &locked) != 0 ||
      ::stat(path.c_str(), &current) != 0) {
    return PosixError(path, errno);
  }
  // Between opening and locking it somebody has replaced the file.
  if (locked.st_dev != current.st_dev || locked.st_ino != current.st_ino) {
    return Busy(path);
  }
  return lock;
}

FileLock::~FileLock() { ::close(descriptor_); }

}  // namespace shardingdb::crypto_internal
