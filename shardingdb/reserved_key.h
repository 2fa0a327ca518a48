// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESERVED_KEY_H_
#define SHARDINGDB_RESERVED_KEY_H_

#include "absl/strings/string_view.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "shardingdb/slice_view.h"

namespace shardingdb {

// What keys begin with that are records of this project and no entries. In
// bytewise order they are one block, behind nearly everything else.
inline constexpr absl::string_view kReservedKeyPrefix =
    "\xff\xff\xff\xffshardingdb:";

// Behind all reserved keys, before whatever follows them.
inline constexpr absl::string_view kReservedKeyLimit =
    "\xff\xff\xff\xffshardingdb;";

inline bool IsReservedKey(const leveldb::Slice& key) {
  return View(key).substr(0, kReservedKeyPrefix.size()) == kReservedKeyPrefix;
}

// What the refusal of a write says.
inline leveldb::Status RefusedAsReserved() {
  return leveldb::Status::InvalidArgument(
      "keys that begin with ff ff ff ff \"shardingdb:\" are reserved");
}

// InvalidArgument for a reserved key, which nobody but this project may write.
inline leveldb::Status CheckNotReserved(const leveldb::Slice& key) {
  if (!IsReservedKey(key)) return leveldb::Status::OK();
  return RefusedAsReserved();
}

}  // namespace shardingdb

#endif  // SHARDINGDB_RESERVED_KEY_H_
