// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_FOLDER_H_
#define SHARDINGDB_RESHARD_FOLDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "leveldb/env.h"
#include "reshard/marker.h"

namespace shardingdb {

// What a path of the command line leads to: all that planning needs to know of
// the file system.
struct Folder {
  std::string given;  // as the user wrote it
  std::string path;   // absolute, without symbolic links, `.`, `..` and `//`

  enum class Kind {
    kMissing,
    kFile,      // or anything else that is no folder
    kEmpty,     // nothing in it but, perhaps, a marker and a lock file
    kDatabase,  // has a CURRENT
    kOther,     // has files, but no CURRENT
  };
  Kind kind = Kind::kMissing;

  // What tells a folder from others however it is spelled; 0 if missing.
  uint64_t device = 0;
  uint64_t inode = 0;

  // True for a database that certainly has no entries: no table, and no log
  // that is long enough for one.
  bool is_empty_database = false;

  std::optional<Marker> marker;

  // OK unless there is a marker that is damaged: DataLoss, with its name.
  absl::Status marker_damage;

  // Which run finished here last.
  std::optional<Marker> record;
};

// Looks at `given`, which is absolute or relative to the working folder; writes
// nothing. Errors, with the path: PermissionDenied, those of ReadMarker but for
// damage, and Unavailable for other I/O errors.
[[nodiscard]] absl::StatusOr<Folder> LookAtFolder(leveldb::Env* env,
                                                  const std::string& given);

// The same for several; the first error.
[[nodiscard]] absl::StatusOr<std::vector<Folder>> LookAtFolders(
    leveldb::Env* env, const std::vector<std::string>& given);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_FOLDER_H_
