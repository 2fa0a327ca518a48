// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// At most one process changes a file at a time.

#ifndef SHARDINGDB_CRYPTO_FILE_LOCK_H_
#define SHARDINGDB_CRYPTO_FILE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace shardingdb::crypto_internal {

// FileLock keeps everybody else who asks for one out of changing a file, be it
// in this process or another. Readers need none: ReplaceFile() shows them the
// old file or the new one.
//
// It is a lock on the file itself (flock), so nothing is left behind by a
// process that ends in any way. Since a replacement is another file, a lock
// counts only if the file is still the one at its path.
//
// Held until destroyed.
class FileLock {
 public:
  // Errors, all with the path:
  //   kAborted      another process has it
  //   kUnavailable  the file system has no locks
  //   others        the file cannot be opened, see PosixError()
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<FileLock>> Take(
      const std::string& path);

  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  const int descriptor_;
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_FILE_LOCK_H_
