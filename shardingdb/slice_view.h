// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SLICE_VIEW_H_
#define SHARDINGDB_SLICE_VIEW_H_

#include "absl/strings/string_view.h"
#include "leveldb/slice.h"

namespace shardingdb {

// The bytes of `slice`, for what does not know LevelDB.
inline absl::string_view View(const leveldb::Slice& slice) {
  return absl::string_view(slice.data(), slice.size());
}

}  // namespace shardingdb

#endif  // SHARDINGDB_SLICE_VIEW_H_
