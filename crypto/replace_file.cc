// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/replace_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "crypto/hex.h"
#include "crypto/posix_error.h"
#include "crypto/random.h"

namespace shardingdb::crypto_internal {
namespace {

int FaultAt(FileStep step, const FileFault& fault) {
  return fault ? fault(step) : 0;
}

// Each of these returns an errno, or 0.

int WriteAll(int descriptor, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

// The new file belongs to whom `former` belongs to: who runs a tool as root
// must not take a ring away from the program that uses it.
int GiveTo(int descriptor, const struct ::stat& former) {
  struct ::stat now;
  if (::fstat(descriptor, &now) != 0) return errno;
  if (now.st_uid == former.st_uid) return 0;
  return ::fchown(descriptor, former.st_uid, former.st_gid) == 0 ? 0 : errno;
}

int Fill(int descriptor, absl::string_view bytes, const struct ::stat* former,
         const FileFault& fault) {
  int error = FaultAt(FileStep::kWrite, fault);
  // The mode asked for at creation was less the umask.
  if (error == 0 && ::fchmod(descriptor, S_IRUSR | S_IWUSR) != 0) error = errno;
  if (error == 0 && former != nullptr) error = GiveTo(descriptor, *former);
  if (error == 0) error = WriteAll(descriptor, bytes);
  if (error == 0) error = FaultAt(FileStep::kSync, fault);
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  return error;
}

int Move(const std::string& from, const std::string& to, bool may_exist) {
  if (may_exist) return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                  RENAME_NOREPLACE) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that cannot do that; most of those have links.
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  ::unlink(from.c_str());
  return 0;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Why no file can be made beside `path`. Errors that are the folder's name it:
// nobody knows the temporary file.
absl::Status CreateError(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case EACCES:
    case EPERM:
    case EROFS:
      return PosixError(FolderOf(path), error);
    default:
      return PosixError(path, error);
  }
}

absl::Status WriteFile(const std::string& path, const std::string& temporary,
                       absl::string_view bytes, const struct ::stat* former,
                       const FileFault& fault) {
  int error = FaultAt(FileStep::kCreate, fault);
  if (error != 0) return CreateError(path, error);
  const int descriptor = ::open(
      temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
      S_IRUSR | S_IWUSR);
  if (descriptor < 0) return CreateError(path, errno);
  error = Fill(descriptor, bytes, former, fault);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return PosixError(path, error);
  }
  error = FaultAt(FileStep::kRename, fault);
  if (error == 0) error = Move(temporary, path, former != nullptr);
  if (error != 0) {
    ::unlink(temporary.c_str());
    if (error == EEXIST) {
      return absl::AlreadyExistsError(absl::StrCat(path, ": is there already"));
    }
    return PosixError(path, error);
  }
  error = FaultAt(FileStep::kSyncFolder, fault);
  const absl::Status synced =
      error != 0 ? PosixError(path, error) : SyncNameOf(path);
  if (synced.ok()) return synced;
  return absl::Status(
      synced.code(),
      absl::StrCat(synced.message(),
                   " (the new file is there, but may not outlive a power "
                   "failure)"));
}

}  // namespace

absl::Status ReplaceFile(const std::string& path, absl::string_view bytes,
                         const FileFault& fault) {
  struct ::stat former;
  if (::stat(path.c_str(), &former) != 0) return PosixError(path, errno);
  // Always the same name, so that what a kill leaves behind does not heap up.
  const std::string temporary = absl::StrCat(path, ".tmp");
  if (::unlink(temporary.c_str()) != 0 && errno != ENOENT) {
    return PosixError(temporary, errno);
  }
  return WriteFile(path, temporary, bytes, &former, fault);
}

absl::Status CreateFile(const std::string& path, absl::string_view bytes,
                        const FileFault& fault) {
  char random[8];
  absl::Status status = RandomBytes(random, sizeof(random));
  if (!status.ok()) return status;
  const std::string temporary = absl::StrCat(
      path, ".tmp.", EncodeHex(absl::string_view(random, sizeof(random))));
  return WriteFile(path, temporary, bytes, /*former=*/nullptr, fault);
}

absl::Status SyncNameOf(const std::string& path) {
  const std::string folder = FolderOf(path);
  const int descriptor =
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return errno == EACCES ? absl::OkStatus() : PosixError(folder, errno);
  }
  // EINVAL, EROFS: a file system that has no way to sync a folder, and no need.
  const bool synced =
      ::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS;
  const int error = synced ? 0 : errno;
  ::close(descriptor);
  return error == 0 ? absl::OkStatus() : PosixError(folder, error);
}

}  // namespace shardingdb::crypto_internal
