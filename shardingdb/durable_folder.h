// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_DURABLE_FOLDER_H_
#define SHARDINGDB_DURABLE_FOLDER_H_

#include <string>

#include "absl/status/status.h"

namespace shardingdb {

// Folders that are still there after a power loss. The operating system's own,
// not an Env's: LevelDB's Env has no way to sync one.
//
// Errors, each naming the folder: FailedPrecondition (a file is in the way),
// PermissionDenied, ResourceExhausted, Unavailable.

// Makes the names of the files and folders in `folder` durable.
[[nodiscard]] absl::Status SyncFolder(const std::string& folder);

// The same, and the contents of the files of the database in it. Nobody may
// write them meanwhile.
[[nodiscard]] absl::Status SyncFolderAndFiles(const std::string& folder);

// Makes `folder` and the folders above it that are missing, durably. OK if it
// is there.
[[nodiscard]] absl::Status MakeFolder(const std::string& folder);

// The folder that `path` lies in: "a" for "a/b" and "a/b/", "." for "b".
std::string FolderAbove(const std::string& path);

}  // namespace shardingdb

#endif  // SHARDINGDB_DURABLE_FOLDER_H_
