// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/engine.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
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

}  // namespace

std::string Engine::ToString() const {
  switch (kind) {
    case Kind::kLevelDb:
      return "leveldb";
    case Kind::kLevelDbTuned:
      return "leveldb-tuned";
    case Kind::kShardingDb:
      break;
  }
  return absl::StrCat("shardingdb:", shards, SuffixOf(values));
}

absl::StatusOr<Engine> ParseEngine(absl::string_view name) {
  Engine engine;
  if (name == "leveldb") return engine;
  if (name == "leveldb-tuned") {
    engine.kind = Engine::Kind::kLevelDbTuned;
    return engine;
  }
  engine.kind = Engine::Kind::kShardingDb;
  for (const Engine::Values values :
       {Engine::Values::kSealed, Engine::Values::kCompressed,
        Engine::Values::kPlain}) {
    absl::string_view shards = name;
    if (!absl::ConsumePrefix(&shards, "shardingdb:") ||
        !absl::ConsumeSuffix(&shards, SuffixOf(values)) ||
        !absl::SimpleAtoi(shards, &engine.shards) || engine.shards < 1 ||
        engine.shards > kMaxShards) {
      continue;
    }
    engine.values = values;
    return engine;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", name, "\" is no engine: there are leveldb, leveldb-tuned, ",
      "shardingdb:N, shardingdb:N:compressed and shardingdb:N:sealed, with N ",
      "from 1 to ", kMaxShards));
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
      // All that a set has for write buffers: two, as a shard has.
      options.write_buffer_size = resources.memory_budget_bytes / 4 * 3 / 2;
      options = open.resources_->Tune(options);
      options.env = leveldb::Env::Default();
      options.hint_after_last = false;  // not in any other LevelDB
      db = OpenPlain(options, path);
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
