// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_ENGINE_H_
#define SHARDINGDB_BENCHMARKS_ENGINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/db.h"
#include "shardingdb/shared_resources.h"

namespace shardingdb {

// A database to measure, as it is named on the command line:
//
//   leveldb              one LevelDB with its default options
//   leveldb-tuned        one LevelDB that is given what a sharded set has by
//                        default: the same memory in total, the same filter,
//                        the same size of files
//   rocksdb              one RocksDB with its default options
//   rocksdb-tuned        the same memory in total as a set, the same filter,
//                        and as many threads that compact as there are cores
//   shardingdb:N             N shards with default options
//   shardingdb:N:compressed  the same with values compressed, as the next has
//                            them, and not encrypted
//   shardingdb:N:sealed      encrypted
//   shardingdb:N:prefix...   any of these with a sharding function that sees
//                            the first 11 bytes of a key: what is scanned
//                            together in the paper's work is in one shard
//   shardingdb:N:logged...   any of these with a commit log; behind :prefix
struct Engine {
  enum class Kind {
    kLevelDb,
    kLevelDbTuned,
    kRocksDb,
    kRocksDbTuned,
    kShardingDb,
  };
  enum class Values { kPlain, kCompressed, kSealed };

  Kind kind = Kind::kLevelDb;
  uint32_t shards = 1;
  bool prefix = false;
  bool logged = false;
  Values values = Values::kPlain;

  std::string ToString() const;
};

// Errors:
//   InvalidArgument     `name` is none of them; lists the names there are
//   FailedPrecondition  this program was built without that database; says what
//                       to install
[[nodiscard]] absl::StatusOr<Engine> ParseEngine(absl::string_view name);

// The same for many names, where "shardingdb" without a number, also before
// ":sealed" and the like, stands for one engine for each of `sharding_counts`.
// An engine that is named again is left out.
[[nodiscard]] absl::StatusOr<std::vector<Engine>> ParseEngines(
    const std::vector<std::string>& names,
    const std::vector<int>& sharding_counts);

// An open database, and what it uses.
class OpenEngine {
 public:
  // Makes a new database in the folder `path`. Errors are those of opening it.
  [[nodiscard]] static absl::StatusOr<OpenEngine> New(const Engine& engine,
                                                      const std::string& path);

  leveldb::DB* db() const { return db_.get(); }

 private:
  OpenEngine() = default;

  std::shared_ptr<SharedResources> resources_;  // may be null
  std::unique_ptr<leveldb::DB> db_;             // goes first
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_ENGINE_H_
