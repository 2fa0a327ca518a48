// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A program in a workspace of its own that uses ShardingDB: opens three
// encrypted shards below the folder that it is given, writes, and reads it
// back.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "leveldb/write_batch.h"
#include "shardingdb/sharding_db_builder.h"

// "bazel run" starts programs elsewhere, and says where the user is.
std::string AsTyped(const std::string& path) {
  const char* const where = std::getenv("BUILD_WORKING_DIRECTORY");
  const bool elsewhere = where != nullptr && path[0] != '/';
  return elsewhere ? std::string(where) + "/" + path : path;
}

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-' || argv[1][0] == '\0') {
    const bool help = argc == 2 && std::string(argv[1]) == "--help";
    std::fprintf(help ? stdout : stderr, "usage: consumer FOLDER\n");
    return help ? 0 : 1;
  }
  const std::string folder = AsTyped(argv[1]);
  // A program that matters keeps 32 random bytes somewhere else.
  auto key_ring = shardingdb::KeyRing::FromKeyBytes(
      shardingdb::SecretBytes("thirty-two bytes kept elsewhere!"));
  if (!key_ring.ok()) {
    std::fprintf(stderr, "%s\n", key_ring.status().ToString().c_str());
    return 1;
  }
  auto db = shardingdb::ShardingDbBuilder()
                .WithDbPaths({folder + "/0", folder + "/1", folder + "/2"})
                .WithEncryption(*key_ring)
                .Build();
  if (!db.ok()) {
    std::fprintf(stderr, "%s\n", db.status().ToString().c_str());
    return 1;
  }

  leveldb::WriteBatch batch;
  for (int i = 0; i < 1000; ++i) {
    batch.Put("key" + std::to_string(i), "value" + std::to_string(i));
  }
  leveldb::Status status = (*db)->Write(leveldb::WriteOptions(), &batch);
  int entries = 0;
  const std::unique_ptr<leveldb::Iterator> iterator(
      (*db)->NewIterator(leveldb::ReadOptions()));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) ++entries;
  if (status.ok()) status = iterator->status();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 1;
  }
  std::printf("%u shards hold %d entries\n", (*db)->ShardCount(), entries);
  return entries == 1000 ? 0 : 1;
}
