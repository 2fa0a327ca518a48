// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/engine.h"

#include <cstddef>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/rocksdb_engine.h"
#include "crypto/compression.h"
#include "crypto/key_ring.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// Of "key-GG-LLL-".
constexpr size_t kPrefixLength = 11;

using OpenedDb = absl::StatusOr<std::unique_ptr<leveldb::DB>>;

OpenedDb OpenPlain(leveldb::Options options, const std::string& path) {
  options.create_if_missing = true;
  options.error_if_exists = true;
  leveldb::DB* db = nullptr;
  const leveldb::Status status = leveldb::DB::Open(options, path, &db);
  if (!status.ok()) return ToAbslStatus(status);
  return std::unique_ptr<leveldb::DB>(db);
}

OpenedDb OpenSharded(const Engine& engine, const std::string& path) {
  std::vector<std::string> paths;
  for (uint32_t i = 0; i < engine.shards; ++i)
    paths.push_back(absl::StrCat(path, "/", i));
  ShardingDbBuilder builder;
  builder.WithDbPaths(std::move(paths));
  if (engine.prefix)
    builder.WithShardingFunc(PrefixLengthSharding(kPrefixLength));
  if (engine.logged) {
    CommitLogOptions log;
    log.folder = path + "/log";
    builder.WithCommitLog(std::move(log));
  }
  if (engine.values == Engine::Values::kCompressed)
    builder.WithValueCompression(Compression::kSnappy);
  if (engine.values == Engine::Values::kSealed) {
    absl::StatusOr<std::shared_ptr<KeyRing>> key_ring = KeyRing::Generate();
    if (!key_ring.ok()) return key_ring.status();
    builder.WithEncryption(*std::move(key_ring));
  }
  return builder.Build();
}

absl::string_view SuffixOf(Engine::Values values) {
  switch (values) {
    case Engine::Values::kPlain:
      return "";
    case Engine::Values::kCompressed:
      return ":compressed";
    case Engine::Values::kSealed:
      return ":sealed";
  }
  return "";
}

// The engines that have no shards.
constexpr std::pair<Engine::Kind, absl::string_view> kSingles[] = {
    {Engine::Kind::kLevelDb, "leveldb"},
    {Engine::Kind::kLevelDbTuned, "leveldb-tuned"},
    {Engine::Kind::kRocksDb, "rocksdb"},
    {Engine::Kind::kRocksDbTuned, "rocksdb-tuned"},
};

bool IsRocksDb(Engine::Kind kind) {
  return kind == Engine::Kind::kRocksDb || kind == Engine::Kind::kRocksDbTuned;
}

// What all engines but those with default options have for write buffers; each
// database has two.
uint64_t WriteBufferBytes() {
  return ResourceOptions().memory_budget_bytes / 4 * 3 / 2;
}

}  // namespace

std::string Engine::ToString() const {
  for (const auto& [single, name] : kSingles)
    if (kind == single) return std::string(name);
  return absl::StrCat("shardingdb:", shards, prefix ? ":prefix" : "",
                      logged ? ":logged" : "", SuffixOf(values));
}

absl::StatusOr<Engine> ParseEngine(absl::string_view name) {
  Engine engine;
  for (const auto& [single, single_name] : kSingles) {
    if (name != single_name) continue;
    engine.kind = single;
    if (!IsRocksDb(single)) return engine;
    const absl::Status status = CheckRocksDb();
    if (!status.ok()) return Annotate(status, name);
    return engine;
  }
  engine.kind = Engine::Kind::kShardingDb;
  for (const Engine::Values values :
       {Engine::Values::kSealed, Engine::Values::kCompressed,
        Engine::Values::kPlain}) {
    absl::string_view shards = name;
    if (!absl::ConsumePrefix(&shards, "shardingdb:") ||
        !absl::ConsumeSuffix(&shards, SuffixOf(values))) {
      continue;
    }
    engine.logged = absl::ConsumeSuffix(&shards, ":logged");
    engine.prefix = absl::ConsumeSuffix(&shards, ":prefix");
    if (!absl::SimpleAtoi(shards, &engine.shards) || engine.shards < 1 ||
        engine.shards > kMaxShards) {
      continue;
    }
    engine.values = values;
    return engine;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", name, "\" is no engine: there are leveldb, leveldb-tuned, ",
      "rocksdb, rocksdb-tuned and shardingdb:N with N from 1 to ", kMaxShards,
      ", where :prefix, :logged, and :compressed or :sealed, may follow"));
}

absl::StatusOr<std::vector<Engine>> ParseEngines(
    const std::vector<std::string>& names,
    const std::vector<int>& sharding_counts) {
  std::vector<Engine> engines;
  std::set<std::string> seen;
  for (absl::string_view name : names) {
    std::vector<std::string> full_names = {std::string(name)};
    absl::string_view rest = name;
    if (absl::ConsumePrefix(&rest, "shardingdb") &&
        (rest.empty() || absl::StartsWith(rest, ":prefix") ||
         absl::StartsWith(rest, ":logged") ||
         absl::StartsWith(rest, ":compressed") ||
         absl::StartsWith(rest, ":sealed"))) {
      full_names.clear();
      for (int count : sharding_counts)
        full_names.push_back(absl::StrCat("shardingdb:", count, rest));
    }
    for (const std::string& full_name : full_names) {
      absl::StatusOr<Engine> engine = ParseEngine(full_name);
      if (!engine.ok()) return engine.status();
      if (seen.insert(engine->ToString()).second) engines.push_back(*engine);
    }
  }
  return engines;
}

absl::StatusOr<OpenEngine> OpenEngine::New(const Engine& engine,
                                           const std::string& path) {
  OpenEngine open;
  OpenedDb db;
  switch (engine.kind) {
    case Engine::Kind::kLevelDb:
      db = OpenPlain(leveldb::Options(), path);
      break;
    case Engine::Kind::kLevelDbTuned: {
      ResourceOptions resources;
      resources.shard_count = 1;
      open.resources_ = SharedResources::New(resources);
      leveldb::Options options;
      options.write_buffer_size = WriteBufferBytes();
      options = open.resources_->Tune(options);
      options.env = leveldb::Env::Default();
      options.hint_after_last = false;  // not in any other LevelDB
      db = OpenPlain(options, path);
      break;
    }
    case Engine::Kind::kRocksDb:
      db = OpenRocksDb(RocksDbTuning(), path);
      break;
    case Engine::Kind::kRocksDbTuned: {
      RocksDbTuning tuning;
      tuning.write_buffer_bytes = WriteBufferBytes();
      tuning.block_cache_bytes = ResourceOptions().memory_budget_bytes / 4;
      db = OpenRocksDb(tuning, path);
      break;
    }
    case Engine::Kind::kShardingDb:
      db = OpenSharded(engine, path);
      break;
  }
  if (!db.ok()) return db.status();
  open.db_ = *std::move(db);
  return open;
}

}  // namespace shardingdb
