// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_EXAMPLES_WORK_FOLDER_H_
#define SHARDINGDB_EXAMPLES_WORK_FOLDER_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shardingdb {

// The folder in which a program keeps its databases: a fresh one that goes,
// with all that it holds, when this object does, or one that the user has
// named, which stays.
class WorkFolder {
 public:
  // With `named` empty, makes a folder "program.XXXXXX" below $TMPDIR, or /tmp.
  // Otherwise makes the folder `named` where it is missing; a relative path
  // starts where the user typed it, also under "bazel run".
  //
  // Errors, which name the folder:
  //   FailedPrecondition  it is a file, or holds something already
  //   PermissionDenied, ResourceExhausted, Unavailable ...  as the system says
  [[nodiscard]] static absl::StatusOr<WorkFolder> Make(
      const std::string& named, absl::string_view program);

  WorkFolder(WorkFolder&& other) noexcept
      : path_(std::exchange(other.path_, std::string())),
        removed_at_end_(other.removed_at_end_) {}
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();

  // Absolute, without a slash at the end.
  const std::string& path() const { return path_; }
  bool removed_at_end() const { return removed_at_end_; }

  // The path of `name` in this folder. Makes nothing.
  std::string Join(absl::string_view name) const;

 private:
  WorkFolder(std::string path, bool removed_at_end)
      : path_(std::move(path)), removed_at_end_(removed_at_end) {}

  std::string path_;  // empty once moved from
  const bool removed_at_end_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_EXAMPLES_WORK_FOLDER_H_
