// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/checked_lines.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "crypto/sha256.h"

namespace shardingdb {
namespace {

using Line = std::pair<absl::string_view, absl::string_view>;

constexpr absl::string_view kChecksum = "checksum";

std::string Checksum(absl::string_view bytes) {
  const Sha256::Digest digest = Sha256::Of(bytes);
  return absl::BytesToHexString(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

}  // namespace

CheckedLinesWriter::CheckedLinesWriter(absl::string_view format,
                                       absl::string_view version) {
  Add(format, version);
}

void CheckedLinesWriter::Add(absl::string_view name, absl::string_view value) {
  absl::StrAppend(&text_, name, " ", value, "\n");
}

std::string CheckedLinesWriter::Finish() {
  Add(kChecksum, Checksum(text_));
  return std::move(text_);
}

absl::Status DamagedLines(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("damaged: ", what));
}

absl::StatusOr<CheckedLines> ParseCheckedLines(
    absl::string_view bytes, absl::string_view format,
    absl::string_view description,
    const std::vector<absl::string_view>& versions) {
  const std::vector<absl::string_view> lines = absl::StrSplit(bytes, '\n');
  // The last line ends with a line break too.
  if (lines.size() < 3 || !lines.back().empty()) return DamagedLines("cut off");
  const Line head = absl::StrSplit(lines.front(), absl::MaxSplits(' ', 1));
  if (head.first != format) {
    return DamagedLines(absl::StrCat("not ", description));
  }
  if (std::count(versions.begin(), versions.end(), head.second) == 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "written by a newer version (format '", head.second,
        "', this program knows '", absl::StrJoin(versions, "' and '"), "')"));
  }
  const absl::string_view checksum = lines[lines.size() - 2];
  const absl::string_view covered =
      bytes.substr(0, bytes.size() - checksum.size() - 1);
  if (checksum != absl::StrCat(kChecksum, " ", Checksum(covered))) {
    return DamagedLines(kChecksum);
  }
  CheckedLines parsed;
  parsed.version = head.second;
  for (size_t i = 1; i + 2 < lines.size(); ++i) {
    parsed.lines.push_back(absl::StrSplit(lines[i], absl::MaxSplits(' ', 1)));
  }
  return parsed;
}

}  // namespace shardingdb
