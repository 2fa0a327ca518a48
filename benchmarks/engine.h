// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_ENGINE_H_
#define SHARDINGDB_BENCHMARKS_ENGINE_H_

#include <cstdint>
#include <memory>
#include <string>

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
//   shardingdb:N             N shards with default options
//   shardingdb:N:compressed  the same with values compressed, as the next has
//                            them, and not encrypted
//   shardingdb:N:sealed      encrypted
struct Engine {
  enum class Kind { kLevelDb, kLevelDbTuned, kShardingDb };
  enum class Values { kPlain, kCompressed, kSealed };

  Kind kind = Kind::kLevelDb;
  uint32_t shards = 1;
  Values values = Values::kPlain;

  std::string ToString() const;
};

// InvalidArgument, with the names there are, if `name` is none of them.
[[nodiscard]] absl::StatusOr<Engine> ParseEngine(absl::string_view name);

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
