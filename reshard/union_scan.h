// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_UNION_SCAN_H_
#define SHARDINGDB_RESHARD_UNION_SCAN_H_

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "reshard/multiset_digest.h"
#include "reshard/progress.h"

namespace shardingdb {

// One key of several databases, and who has it.
struct UnionEntry {
  leveldb::Slice key;
  leveldb::Slice value;
  const EntryHash& hash;             // only with UnionScanOptions::hash
  absl::Span<const size_t> holders;  // indices of the sources, ascending
};

struct UnionSource {
  leveldb::DB* db = nullptr;
  std::string folder;  // for messages
};

struct UnionScanOptions {
  // Where damage is looked for after an error.
  leveldb::Env* env = nullptr;

  bool hash = false;

  // For blocks of all sources together.
  size_t memory_bytes = size_t{32} << 20;

  // Stops the scan soon after it becomes true; may be null.
  const std::atomic<bool>* stop = nullptr;

  // May be null.
  Progress* progress = nullptr;
};

// Reads all sources at the same time, as they are now, and calls `visit` for
// each distinct key in ascending bytewise order, from this thread. The entry
// lives until `visit` returns; an error of `visit` ends the scan.
//
// Errors: Aborted if two sources have different values for a key; Cancelled if
// stopped; DataLoss and others of reading, with the folder and, for damage, the
// file. Entries before the error have been visited.
[[nodiscard]] absl::Status ScanUnion(
    const std::vector<UnionSource>& sources, const UnionScanOptions& options,
    absl::FunctionRef<absl::Status(const UnionEntry&)> visit);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_UNION_SCAN_H_
