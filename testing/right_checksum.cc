// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/right_checksum.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "crypto/sha256.h"

namespace shardingdb {

std::string WithRightChecksum(absl::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  // Nothing of a text that is one line: npos + 1 is 0.
  const absl::string_view covered = text.substr(0, text.rfind('\n') + 1);
  const Sha256::Digest digest = Sha256::Of(covered);
  return absl::StrCat(
      covered, "checksum ",
      absl::BytesToHexString(absl::string_view(
          reinterpret_cast<const char*>(digest.data()), digest.size())),
      "\n");
}

}  // namespace shardingdb
