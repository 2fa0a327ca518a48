// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/pool_env.h"

#include <string>

#include "leveldb/env.h"
#include "leveldb/status.h"
#include "shardingdb/status.h"

namespace shardingdb {

void PoolEnv::Schedule(void (*function)(void*), void* argument) {
  if (pool_->size() == 0) {
    // Not here and now: LevelDB holds a lock that `function` takes.
    target()->Schedule(function, argument);
    return;
  }
  pool_->Schedule([function, argument] { function(argument); });
}

leveldb::Status PoolEnv::NewRandomAccessFile(const std::string& name,
                                             leveldb::RandomAccessFile** file) {
  const leveldb::Status status = target()->NewRandomAccessFile(name, file);
  if (!status.IsNotFound()) return status;
  return leveldb::Status::Corruption(MessageOf(status));
}

}  // namespace shardingdb
