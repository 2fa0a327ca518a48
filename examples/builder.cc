// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Opens three folders as one encrypted database, writes an entry and reads it.

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/aead.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"

namespace {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "builder: %s\n", status.ToString().c_str());
  return 1;
}

int Fail(const leveldb::Status& status) {
  std::fprintf(stderr, "builder: %s\n", status.ToString().c_str());
  return 1;
}

int Run(const std::shared_ptr<const shardingdb::Aead>& key_ring) {
  std::vector<std::unique_ptr<shardingdb::DbHandle>> shards;
  for (const char* path : {"/tmp/sdb/a", "/tmp/sdb/b", "/tmp/sdb/c"}) {
    absl::StatusOr<std::unique_ptr<shardingdb::DbHandle>> shard =
        shardingdb::OpenLevelDb(path, shardingdb::ShardOptions());
    if (!shard.ok()) return Fail(shard.status());
    shards.push_back(*std::move(shard));
  }
  absl::StatusOr<std::unique_ptr<shardingdb::ShardingDb>> db =
      shardingdb::ShardingDbBuilder()
          .WithDbHandles(std::move(shards))
          .WithShardingFunc(shardingdb::MurmurSharding())
          .WithEncryption(key_ring)  // std::shared_ptr<const shardingdb::Aead>
          .Build();
  if (!db.ok()) return Fail(db.status());

  leveldb::Status status =
      (*db)->Put(leveldb::WriteOptions(), "greeting", "hello");
  if (!status.ok()) return Fail(status);
  std::string value;
  status = (*db)->Get(leveldb::ReadOptions(), "greeting", &value);
  if (!status.ok()) return Fail(status);
  std::printf("greeting = %s\n", value.c_str());
  return 0;
}

}  // namespace

int main() {
  // An example's key, so that this program opens what it wrote the last time.
  // Yours is 32 random bytes that you keep somewhere safe.
  const absl::StatusOr<std::shared_ptr<shardingdb::KeyRing>> key_ring =
      shardingdb::KeyRing::FromKeyBytes(
          shardingdb::SecretBytes("an example's key of 32 bytes ..."));
  if (!key_ring.ok()) return Fail(key_ring.status());
  return Run(*key_ring);
}
