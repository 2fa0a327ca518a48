// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CHECKED_LINES_H_
#define SHARDINGDB_CHECKED_LINES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shardingdb {

// Small records that people can read and programs can check: lines of a name, a
// space and a value. The first has the name of the format and its version, the
// last, `checksum`, the SHA-256 of all before it in hex.
//
// What the names in between mean, which there must be and how often is for
// whoever uses it. No value may hold a line feed: escape what may.
class CheckedLinesWriter {
 public:
  CheckedLinesWriter(absl::string_view format, absl::string_view version);

  void Add(absl::string_view name, absl::string_view value);

  // The record. Once only, at the end.
  [[nodiscard]] std::string Finish();

 private:
  std::string text_;
};

// The lines of a record between the first and the last; they refer to its
// bytes.
struct CheckedLines {
  absl::string_view version;
  std::vector<std::pair<absl::string_view, absl::string_view>> lines;
};

// What a parser that finds something wrong in a line returns: DataLoss,
// "damaged: `what`".
[[nodiscard]] absl::Status DamagedLines(absl::string_view what);

// DataLoss for bytes that are no such record ("not `description`") or a damaged
// one; FailedPrecondition for a version that is not one of `versions`, by which
// nothing but the first line has been looked at.
[[nodiscard]] absl::StatusOr<CheckedLines> ParseCheckedLines(
    absl::string_view bytes, absl::string_view format,
    absl::string_view description,
    const std::vector<absl::string_view>& versions);

}  // namespace shardingdb

#endif  // SHARDINGDB_CHECKED_LINES_H_
