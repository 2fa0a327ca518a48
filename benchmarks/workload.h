// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_WORKLOAD_H_
#define SHARDINGDB_BENCHMARKS_WORKLOAD_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "leveldb/db.h"

namespace shardingdb {

// What every database is asked to do. The work comes in groups; group g writes,
// in its l-th loop, one batch with the entries k = 0, 1, ... below `batch`: the
// key is "key-GG-LLL-KKK" and the value "value-" and the product of l and k,
// padded with zero bytes. With as many threads as groups each thread has its
// own; fewer threads share them out, and do the same work.
struct WorkloadOptions {
  int groups = 100;          // 1 to kMaxGroups
  int threads = 100;         // 1 to `groups`
  int loops = 100;           // of each group, 1 to kMaxLoops
  int batch = 100;           // entries, 2 to kMaxBatch
  size_t value_bytes = 100;  // kMinValueBytes to kMaxValueBytes

  uint64_t entries() const { return uint64_t{1} * groups * loops * batch; }
};

// So that the numbers keep to their digits.
inline constexpr int kMaxGroups = 100;
inline constexpr int kMaxLoops = 1000;
inline constexpr int kMaxBatch = 1000;
inline constexpr size_t kMinValueBytes = 16;
inline constexpr size_t kMaxValueBytes = size_t{1} << 20;

// InvalidArgument, with the limits, unless all numbers are within them.
[[nodiscard]] absl::Status CheckOptions(const WorkloadOptions& options);

// The parts of the work, in the order in which they are done.
enum class Phase : size_t {
  kPut,       // the batches
  kGet,       // each entry by itself
  kNotFound,  // as many keys "key-GG-KKK-x" that are not there
  kDelete,    // every second entry, one by one
  kScan,      // for each batch, the entries with its prefix
};
inline constexpr size_t kPhases = 5;
inline constexpr std::array<const char*, kPhases> kPhaseNames = {
    "put", "get", "not found", "delete", "scan"};

// What one part of the work took.
struct PhaseResult {
  uint64_t operations = 0;
  double seconds = 0;
  double cpu_seconds = 0;  // of the whole process, in the background too
};

using WorkloadResult = std::array<PhaseResult, kPhases>;

// Does the work with `db`, which is empty before. Every answer is checked:
// DataLoss, with the key, for a wrong one; otherwise the database's own error.
//
// REQUIRES: CheckOptions(options) is OK
[[nodiscard]] absl::StatusOr<WorkloadResult> RunWorkload(
    leveldb::DB* db, const WorkloadOptions& options);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_WORKLOAD_H_
