// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What README and user guide show of opening a database, so that it compiles.
// Nothing calls it.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"

namespace shown {

leveldb::Status OpenAsLevelDb(const leveldb::Options& options) {
  leveldb::DB* db;
  leveldb::Status status =
      shardingdb::ShardingDb::Open(options, {"/a", "/b", "/c"}, &db);
  if (status.ok()) delete db;
  return status;
}

absl::Status Build(const std::string& bytes) {
  absl::StatusOr<std::shared_ptr<shardingdb::KeyRing>> key_ring =
      shardingdb::KeyRing::FromKeyBytes(shardingdb::SecretBytes(bytes));
  if (!key_ring.ok()) return key_ring.status();
  absl::StatusOr<std::unique_ptr<shardingdb::ShardingDb>> db =
      shardingdb::ShardingDbBuilder()
          .WithDbPaths({"/data/a", "/data/b", "/data/c"})  // or WithDbHandles
          .WithShardingFunc(shardingdb::JumpSharding())    // the default
          .WithEncryption(*key_ring)  // leave out for plain values
          .Build();
  return db.status();
}

absl::Status BuildWithCommitLog() {
  shardingdb::CommitLogOptions log;
  log.folder = "/data/log";  // of its own; made if it is missing
  absl::StatusOr<std::unique_ptr<shardingdb::ShardingDb>> db =
      shardingdb::ShardingDbBuilder()
          .WithDbPaths({"/data/a", "/data/b", "/data/c"})
          .WithCommitLog(log)
          .Build();
  return db.status();
}

}  // namespace shown
