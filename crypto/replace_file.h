// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Files that are there whole or not at all, whatever happens on the way.

#ifndef SHARDINGDB_CRYPTO_REPLACE_FILE_H_
#define SHARDINGDB_CRYPTO_REPLACE_FILE_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace shardingdb::crypto_internal {

// What a replacement does, in this order.
enum class FileStep {
  kCreate,      // a temporary file in the same folder, mode 0600
  kWrite,       // all bytes into it
  kSync,        // ... onto stable storage
  kRename,      // to its name: from here on readers see it
  kSyncFolder,  // the name onto stable storage too
};

// For tests: asked before each step; an errno other than 0 is what the step
// then fails with.
using FileFault = std::function<int(FileStep)>;

// Puts a file with `bytes`, mode 0600, in the place of the one at `path`. It
// belongs to whom the former belonged to.
//
// After an error, or a kill at any point, the former file is there unchanged;
// but once the step kRename is done it is the new one, of which it is not known
// whether it outlives a power failure until kSyncFolder is done. The errors are
// those of PosixError(), with the folder of `path` where it is not there or
// nothing may be made in it, and with `path` otherwise. A file `path`.tmp that
// a kill has left behind is replaced by the next call.
//
// REQUIRES: nobody else replaces the file at the same time; see FileLock.
[[nodiscard]] absl::Status ReplaceFile(const std::string& path,
                                       absl::string_view bytes,
                                       const FileFault& fault = nullptr);

// The same where there must be nothing at `path` yet. Any number of processes
// may try at once; one succeeds. A kill can leave `path`.tmp.XXXX behind, which
// is of no use to anybody.
//
// Errors: those of ReplaceFile(), and
//   kAlreadyExists  there is something at `path`, which stays as it is
[[nodiscard]] absl::Status CreateFile(const std::string& path,
                                      absl::string_view bytes,
                                      const FileFault& fault = nullptr);

// Returns once it is on stable storage which file is at `path`. A folder that
// may not be read is passed over: who made the change has synced it.
[[nodiscard]] absl::Status SyncNameOf(const std::string& path);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_REPLACE_FILE_H_
