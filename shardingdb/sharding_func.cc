// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sharding_func.h"

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"

namespace shardingdb {
namespace {

// Whether no key but `start` itself is below `limit`: the key behind `start` is
// the same with a zero byte at its end.
bool HoldsOnlyStart(const leveldb::Range& range) {
  const leveldb::Slice& start = range.start;
  const leveldb::Slice& limit = range.limit;
  return limit.size() == start.size() + 1 && limit.starts_with(start) &&
         limit[start.size()] == '\0';
}

}  // namespace

std::optional<uint32_t> ShardingFunc::ShardOfRange(const leveldb::Range& range,
                                                   uint32_t shard_count) const {
  if (shard_count == 1) return 0;
  if (HoldsOnlyStart(range)) return ShardOf(range.start, shard_count);
  return std::nullopt;
}

bool ShardingFunc::allowed_for_new_sets() const { return true; }

absl::Status CheckShardingFuncName(absl::string_view name) {
  constexpr size_t kMaxLength = 64;
  const auto error = [name](absl::string_view reason) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sharding function name \"",
        absl::CHexEscape(name.substr(0, kMaxLength)), "\" ", reason));
  };
  if (name.empty()) return error("is empty");
  if (name.size() > kMaxLength) return error("is longer than 64 characters");
  if (!absl::ascii_isalpha(static_cast<unsigned char>(name[0]))) {
    return error("does not start with a letter");
  }
  for (const char c : name) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c)) || c == ',') {
      return error(
          "has a character other than printable ASCII without "
          "spaces and commas");
    }
  }
  return absl::OkStatus();
}

}  // namespace shardingdb
