// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_ENTRY_SIZE_H_
#define SHARDINGDB_ENTRY_SIZE_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {

// The longest entry, key and value together, in bytes: LevelDB and Snappy count
// in 32 bits, and add some to both.
inline constexpr size_t kMaxEntrySize = UINT32_MAX - 1024;

// InvalidArgument if an entry is longer than that. Reads none of its bytes.
inline leveldb::Status CheckEntrySize(const leveldb::Slice& key,
                                      const leveldb::Slice& value) {
  if (key.size() <= kMaxEntrySize &&
      value.size() <= kMaxEntrySize - key.size()) {
    return leveldb::Status::OK();
  }
  return leveldb::Status::InvalidArgument(absl::StrCat(
      "an entry with a key of ", key.size(), " bytes and a value of ",
      value.size(), " bytes is too long: both together have at most ",
      kMaxEntrySize));
}

}  // namespace shardingdb

#endif  // SHARDINGDB_ENTRY_SIZE_H_
