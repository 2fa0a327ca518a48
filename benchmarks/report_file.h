// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_REPORT_FILE_H_
#define SHARDINGDB_BENCHMARKS_REPORT_FILE_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shardingdb {

// A file that is written as a whole at the end, or not at all, and whose path
// is tried at the beginning: a file beside it takes the bytes, and then its
// name.
class ReportFile {
 public:
  // Relative paths start where the user typed them, also under "bazel run".
  //
  // Errors, which name the file:
  //   FailedPrecondition  there is something of that name that is no file
  //   NotFound            the folder is not there
  //   PermissionDenied, ResourceExhausted, Unavailable ...  as the system says
  [[nodiscard]] static absl::StatusOr<ReportFile> New(const std::string& named);

  ReportFile(ReportFile&& other) noexcept
      : path_(std::move(other.path_)),
        temporary_(std::exchange(other.temporary_, std::string())) {}
  ReportFile& operator=(ReportFile&&) = delete;

  // Leaves the path as it was, unless Commit has succeeded.
  ~ReportFile();

  // Makes `text` what the file holds, after a crash too. On an error the path
  // is as it was.
  //
  // REQUIRES: was not called before
  [[nodiscard]] absl::Status Commit(absl::string_view text);

  // Absolute.
  const std::string& path() const { return path_; }

 private:
  ReportFile(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string path_;
  std::string temporary_;  // empty once moved from or committed
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_REPORT_FILE_H_
