// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_YCSB_WORKLOAD_H_
#define SHARDINGDB_BENCHMARKS_YCSB_WORKLOAD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/phase.h"
#include "benchmarks/workload_options.h"
#include "leveldb/db.h"

namespace shardingdb {

// The core workloads of the Yahoo! Cloud Serving Benchmark (Cooper,
// Silberstein, Tam, Ramakrishnan and Sears, "Benchmarking cloud serving systems
// with YCSB", SoCC 2010):
//
//   ycsb-load  puts of all records, one by one
//   ycsb-a     1/2 reads, 1/2 updates
//   ycsb-b     95 % reads, 5 % updates
//   ycsb-c     reads
//   ycsb-d     95 % reads of the latest records, 5 % inserts
//   ycsb-e     95 % scans of 1 to 100 records, 5 % inserts
//   ycsb-f     1/2 reads, 1/2 reads with an update of what was read
//
// All but the first begin with options.entries() records, which are not
// measured, and do as many operations, ycsb-e a tenth. Which record is asked
// for is zipfian; in ycsb-d by age, where a thread takes for the latest what it
// has inserted itself. A record is one value of options.value_bytes, not ten
// fields, and an update writes the value that it has.
const std::vector<std::string>& YcsbNames();

// Does options.work with `db`, which is empty before; one phase. A latency is
// that of one operation. DataLoss, with the key, for a wrong answer; otherwise
// the database's own error.
//
// REQUIRES: options.work is one of YcsbNames
[[nodiscard]] absl::StatusOr<PhaseResult> RunYcsbWorkload(
    leveldb::DB* db, const WorkloadOptions& options);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_YCSB_WORKLOAD_H_
