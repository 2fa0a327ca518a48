// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_ROCKSDB_ENGINE_H_
#define SHARDINGDB_BENCHMARKS_ROCKSDB_ENGINE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "leveldb/db.h"

namespace shardingdb {

// FailedPrecondition, with what to install, where this program was built
// without RocksDB.
[[nodiscard]] absl::Status CheckRocksDb();

// How RocksDB is opened.
struct RocksDbTuning {
  // 0: RocksDB's default options, and the rest has no meaning.
  uint64_t write_buffer_bytes = 0;  // each of two
  uint64_t block_cache_bytes = 0;
  int filter_bits = 10;  // a key
};

// Makes a new RocksDB in the folder `path`, as what a program that uses LevelDB
// would see. With a tuning, as many threads compact as there are cores, several
// of them one compaction.
//
// What readers ask LevelDB for is asked of RocksDB, so checksums are verified
// only if they ask for that. A batch is copied to one of RocksDB's own.
//
// Errors: CheckRocksDb's, and RocksDB's own.
[[nodiscard]] absl::StatusOr<std::unique_ptr<leveldb::DB>> OpenRocksDb(
    const RocksDbTuning& tuning, const std::string& path);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_ROCKSDB_ENGINE_H_
