// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_PAPER_WORKLOAD_H_
#define SHARDINGDB_BENCHMARKS_PAPER_WORKLOAD_H_

#include <array>
#include <cstddef>

#include "absl/status/statusor.h"
#include "benchmarks/phase.h"
#include "benchmarks/workload_options.h"
#include "leveldb/db.h"

namespace shardingdb {

// The parts of the work, in the order in which they are done.
enum class PaperPhase : size_t {
  kPut,       // the batches
  kGet,       // each entry by itself
  kNotFound,  // as many keys "key-GG-KKK-x" that are not there
  kDelete,    // every second entry, one by one
  kScan,      // for each batch, the entries with its prefix
};
inline constexpr std::array<const char*, 5> kPaperPhaseNames = {
    "put", "get", "not found", "delete", "scan"};
static_assert(kPaperPhaseNames.size() <= kMaxPhases);

// Does with `db`, which is empty before, what the tables of the original
// shardingdb measure. The work comes in groups; group g writes, in its l-th
// loop, one batch with the entries k = 0, 1, ... below `batch`: the key is
// "key-GG-LLL-KKK", and zero-padded values hold the product of l and k. With as
// many threads as groups each thread has its own; fewer threads share them out,
// and do the same work.
//
// A latency is that of one batch of puts, of one get or delete, or of one scan.
// Every answer is checked: DataLoss, with the key, for a wrong one; otherwise
// the database's own error.
//
// REQUIRES: CheckOptions(options) is OK
[[nodiscard]] absl::StatusOr<WorkloadResult> RunPaperWorkload(
    leveldb::DB* db, const WorkloadOptions& options);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_PAPER_WORKLOAD_H_
