// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_WORKLOAD_H_
#define SHARDINGDB_BENCHMARKS_WORKLOAD_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/phase.h"
#include "benchmarks/workload_options.h"
#include "leveldb/db.h"

namespace shardingdb {

// The names of all works that there are: kPaperWork, the YcsbNames, the
// DbBenchNames.
const std::vector<std::string>& WorkNames();

// InvalidArgument, with the names there are, if `work` is none of them.
[[nodiscard]] absl::Status CheckWork(const std::string& work);

// The names of the phases that a work has, in their order.
//
// REQUIRES: CheckWork(work) is OK
std::vector<std::string> PhaseNames(const std::string& work);

// The sizes of values that a work is usually measured with.
//
// REQUIRES: CheckWork(work) is OK
std::vector<int> DefaultValueBytes(const std::string& work);

// Does options.work with `db`, which is empty before. Every answer is checked:
// DataLoss, with the key, for a wrong one; otherwise the database's own error.
//
// REQUIRES: CheckOptions(options) and CheckWork(options.work) are OK
[[nodiscard]] absl::StatusOr<WorkloadResult> RunWorkload(
    leveldb::DB* db, const WorkloadOptions& options);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_WORKLOAD_H_
