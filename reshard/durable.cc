// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/durable.h"

#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/write_batch.h"

namespace shardingdb {

leveldb::Status SyncToDisk(leveldb::DB* db) {
  // Flushes the memtable, whatever the range, and waits for it.
  const leveldb::Slice nowhere("");
  db->CompactRange(&nowhere, &nowhere);
  // Fails if that, or anything in the background before it, has failed.
  leveldb::WriteOptions options;
  options.sync = true;
  leveldb::WriteBatch nothing;
  return db->Write(options, &nothing);
}

}  // namespace shardingdb
