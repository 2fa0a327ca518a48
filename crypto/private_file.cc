// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "crypto/posix_error.h"

namespace shardingdb::crypto_internal {
namespace {

// As a shell takes it for one word.
std::string Quoted(const std::string& path) {
  const bool plain = path.find_first_not_of(
                         "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw"
                         "xyz0123456789/._-+,:@%=") == std::string::npos;
  if (plain) return path;
  return absl::StrCat("'", absl::StrReplaceAll(path, {{"'", "'\\''"}}), "'");
}

// Where to put as many bytes.
using Allocate = absl::FunctionRef<char*(size_t)>;

absl::Status ReadOpenFile(int descriptor, const std::string& path,
                          size_t max_size, Allocate allocate) {
  struct ::stat found;
  if (::fstat(descriptor, &found) != 0) return PosixError(path, errno);
  if (!S_ISREG(found.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": not a regular file"));
  }
  if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": group or others may use it; run: chmod 600 ", Quoted(path)));
  }
  const size_t size = static_cast<size_t>(found.st_size);
  if (size > max_size) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": ", size, " bytes are more than the ", max_size, " allowed"));
  }
  char* const bytes = allocate(size);
  size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(descriptor, bytes + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return PosixError(path, errno);
    if (got == 0) {
      return absl::UnavailableError(
          absl::StrCat(path, ": became shorter while it was read"));
    }
    done += static_cast<size_t>(got);
  }
  return absl::OkStatus();
}

absl::Status Read(const std::string& path, size_t max_size, Allocate allocate) {
  const int descriptor =
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return PosixError(path, errno);
  const absl::Status status =
      ReadOpenFile(descriptor, path, max_size, allocate);
  ::close(descriptor);
  return status;
}

}  // namespace

absl::StatusOr<std::string> ReadPrivateFile(const std::string& path,
                                            size_t max_size) {
  std::string bytes;
  const absl::Status status = Read(path, max_size, [&](size_t size) {
    bytes.resize(size);
    return &bytes[0];
  });
  if (!status.ok()) return status;
  return bytes;
}

absl::StatusOr<SecretBytes> ReadSecretFile(const std::string& path,
                                           size_t max_size) {
  SecretBytes bytes;
  const absl::Status status = Read(path, max_size, [&](size_t size) {
    bytes = SecretBytes::Zeros(size);
    return bytes.mutable_data();
  });
  if (!status.ok()) return status;
  return bytes;
}

}  // namespace shardingdb::crypto_internal
