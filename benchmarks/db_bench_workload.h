// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_DB_BENCH_WORKLOAD_H_
#define SHARDINGDB_BENCHMARKS_DB_BENCH_WORKLOAD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/phase.h"
#include "benchmarks/workload_options.h"
#include "leveldb/db.h"

namespace shardingdb {

// What db_bench, the benchmark of LevelDB and RocksDB, calls the same, with its
// keys of 16 digits. Threads share the operations out, as many as
// options.entries() unless said otherwise:
//
//   fillseq           puts in the order of the keys, each thread its own part
//   fillrandom        puts of keys drawn at random
//   fillsync          the same, each one synced; a thousandth of the operations
//   overwrite         the same as fillrandom where all keys are there
//   readrandom        gets of keys drawn at random
//   readmissing       gets of keys that are not there
//   readseq           one scan, each thread its own part; an operation an entry
//   readreverse       the same backwards
//   seekrandom        a new iterator, and a seek to a key drawn at random
//   deleterandom      deletes of keys drawn at random
//   readwhilewriting  readrandom while one more thread overwrites, whose writes
//                     do not count
//
// All but the first three begin with options.entries() records, which are not
// measured.
const std::vector<std::string>& DbBenchNames();

// Does options.work with `db`, which is empty before; one phase. A latency is
// that of one operation. DataLoss, with the key, for a wrong answer; otherwise
// the database's own error.
//
// REQUIRES: options.work is one of DbBenchNames
[[nodiscard]] absl::StatusOr<PhaseResult> RunDbBenchWorkload(
    leveldb::DB* db, const WorkloadOptions& options);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_DB_BENCH_WORKLOAD_H_
