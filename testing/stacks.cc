// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/stacks.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "crypto/key_ring.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/shard_router.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/status.h"
#include "testing/conformance_suite.h"
#include "testing/model_db.h"
#include "testing/unsynced_env.h"

namespace shardingdb {
namespace {

using ::leveldb::Comparator;
using Opened = absl::StatusOr<std::unique_ptr<DbHandle>>;

leveldb::Options LevelDbOptions(const Comparator* comparator) {
  leveldb::Options options;
  options.create_if_missing = true;
  options.comparator = comparator;
  options.env = UnsyncedEnv();
  return options;
}

// The same keys each time a database is opened.
std::shared_ptr<const Aead> Keys() {
  static const auto* const kKeys =
      new std::shared_ptr<const Aead>(KeyRing::Generate().value());
  return *kKeys;
}

std::vector<std::string> Folders(const std::string& folder, int count) {
  std::vector<std::string> folders;
  for (int i = 0; i < count; ++i) {
    folders.push_back(absl::StrCat(folder, "/shard", i));
  }
  return folders;
}

}  // namespace

ConformanceParam ModelStack() {
  ConformanceParam param;
  param.name = "Model";
  param.open = [](const std::string&, const Comparator* comparator) -> Opened {
    return std::make_unique<ModelDb>(comparator);
  };
  param.persistent = false;
  return param;
}

ConformanceParam LevelDbStack() {
  ConformanceParam param;
  param.name = "LevelDb";
  param.open = [](const std::string& folder, const Comparator* comparator) {
    ShardOptions options;
    options.leveldb = LevelDbOptions(comparator);
    return OpenLevelDb(folder, options);
  };
  return param;
}

ConformanceParam WrappedLevelDbStack() {
  ConformanceParam param;
  param.name = "WrappedLevelDb";
  param.open = [](const std::string& folder,
                  const Comparator* comparator) -> Opened {
    leveldb::DB* db = nullptr;
    const leveldb::Status status =
        leveldb::DB::Open(LevelDbOptions(comparator), folder, &db);
    if (!status.ok()) return ToAbslStatus(status);
    return WrapLevelDb(std::unique_ptr<leveldb::DB>(db), comparator);
  };
  return param;
}

ConformanceParam RoutedStack(int shards, ConformanceParam base) {
  ConformanceParam param = base;
  param.name = absl::StrCat("Router", shards, "Of", base.name);
  param.shards = shards * base.shards;
  param.open = [shards, base = std::move(base)](
                   const std::string& folder,
                   const Comparator* comparator) -> Opened {
    std::vector<std::unique_ptr<DbHandle>> handles;
    for (const std::string& shard_folder : Folders(folder, shards)) {
      std::filesystem::create_directories(shard_folder);
      Opened handle = base.open(shard_folder, comparator);
      if (!handle.ok()) return handle.status();
      handles.push_back(*std::move(handle));
    }
    return ShardRouter::New(std::move(handles), JumpSharding());
  };
  return param;
}

ConformanceParam SealedStack(ConformanceParam base) {
  ConformanceParam param = base;
  param.name = absl::StrCat("Sealed", base.name);
  param.open = [base = std::move(base)](
                   const std::string& folder,
                   const Comparator* comparator) -> Opened {
    Opened handle = base.open(folder, comparator);
    if (!handle.ok()) return handle.status();
    return EncryptedDbHandle::New(*std::move(handle), Keys());
  };
  return param;
}

ConformanceParam OpenedStack(int shards) {
  ConformanceParam param;
  param.name = absl::StrCat("Opened", shards);
  param.shards = shards;
  param.open = [shards](const std::string& folder,
                        const Comparator* comparator) -> Opened {
    leveldb::Options options;
    options.create_if_missing = true;
    options.comparator = comparator;
    return ShardingDb::Open(options, Folders(folder, shards));
  };
  return param;
}

ConformanceParam BuiltStack(int shards) {
  ConformanceParam param;
  param.name = absl::StrCat("Built", shards);
  param.shards = shards;
  param.open = [shards](const std::string& folder,
                        const Comparator* comparator) -> Opened {
    return ShardingDbBuilder()
        .WithDbPaths(Folders(folder, shards))
        .WithOptions(LevelDbOptions(comparator))
        .WithShardingFunc(MurmurSharding())
        .WithEncryption(Keys())
        .Build();
  };
  return param;
}

ConformanceParam LoggedStack(int shards) {
  ConformanceParam param;
  param.name = absl::StrCat("Logged", shards);
  param.shards = shards;
  param.open = [shards](const std::string& folder,
                        const Comparator* comparator) -> Opened {
    CommitLogOptions log;
    log.folder = folder + "/log";
    log.segment_bytes = 4000;
    return ShardingDbBuilder()
        .WithDbPaths(Folders(folder, shards))
        .WithOptions(LevelDbOptions(comparator))
        .WithEncryption(Keys())
        .WithCommitLog(std::move(log))
        .Build();
  };
  return param;
}

}  // namespace shardingdb
