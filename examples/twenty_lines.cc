// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdio>
#include <memory>

#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "leveldb/write_batch.h"
#include "shardingdb/sharding_db_builder.h"

int main() {
  // 32 random bytes that you keep: without them the values are lost.
  auto key_ring = shardingdb::KeyRing::FromKeyBytes(
      shardingdb::SecretBytes("thirty-two bytes kept elsewhere!"));
  if (!key_ring.ok()) return 1;
  auto db = shardingdb::ShardingDbBuilder()
                .WithDbPaths({"/tmp/sdb/0", "/tmp/sdb/1", "/tmp/sdb/2"})
                .WithEncryption(*key_ring)
                .Build();
  if (!db.ok()) return std::puts(db.status().ToString().c_str()), 1;

  leveldb::WriteBatch batch;  // readers see all of it or nothing
  batch.Put("apple", "red");
  batch.Put("banana", "yellow");
  if (!(*db)->Write(leveldb::WriteOptions(), &batch).ok()) return 1;

  std::unique_ptr<leveldb::Iterator> it(
      (*db)->NewIterator(leveldb::ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next())  // in order, over all shards
    std::printf("%s is %s\n", it->key().ToString().c_str(),
                it->value().ToString().c_str());
  return it->status().ok() ? 0 : 1;
}
