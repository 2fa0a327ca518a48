// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_DESCRIBE_KEY_H_
#define SHARDINGDB_DESCRIBE_KEY_H_

#include <cstddef>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "leveldb/slice.h"

namespace shardingdb {

// How messages show a key: its first 16 bytes in hex, and its length where that
// is more ("0x6b6579", "0x0011... (300 bytes)", "empty").
inline std::string DescribeKey(const leveldb::Slice& key) {
  constexpr size_t kShown = 16;
  if (key.empty()) return "empty";
  const absl::string_view shown(key.data(),
                                key.size() < kShown ? key.size() : kShown);
  std::string text = absl::StrCat("0x", absl::BytesToHexString(shown));
  if (key.size() > kShown)
    absl::StrAppend(&text, "... (", key.size(), " bytes)");
  return text;
}

}  // namespace shardingdb

#endif  // SHARDINGDB_DESCRIBE_KEY_H_
