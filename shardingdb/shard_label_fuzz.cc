// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Any bytes as the label of a shard: as they are, and with a checksum that is
// right, which else would stop nearly all of them.

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shardingdb/shard_label.h"
#include "testing/fuzz_target.h"
#include "testing/right_checksum.h"

namespace shardingdb {
namespace {

std::string Check(absl::string_view input) {
  const absl::StatusOr<ShardLabel> label = ParseShardLabel(input);
  if (!label.ok()) {
    return absl::IsDataLoss(label.status()) ||
                   absl::IsFailedPrecondition(label.status())
               ? ""
               : absl::StrCat("another code: ", label.status().ToString());
  }
  if (label->shard >= label->shard_count) return "there is no such shard";
  return EncodeShardLabel(*label) == input ? "" : "has a second spelling";
}

}  // namespace

std::string FuzzOne(absl::string_view input) {
  const std::string error = Check(input);
  return error.empty() ? Check(WithRightChecksum(input)) : error;
}

}  // namespace shardingdb
