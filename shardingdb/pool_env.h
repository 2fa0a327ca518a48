// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_POOL_ENV_H_
#define SHARDINGDB_POOL_ENV_H_

#include <string>

#include "leveldb/env.h"
#include "leveldb/status.h"
#include "shardingdb/thread_pool.h"

namespace shardingdb {

// An Env for many databases over another one. What LevelDB does in the
// background runs on the threads of a pool: other Envs have one thread for all
// databases, which then flush and compact one after another.
//
// A file that is to be read but is not there is Corruption, not NotFound:
// LevelDB passes such errors on from Get, where NotFound says that a key has no
// value.
//
// Thread-safe. Neither `base` nor `pool` is owned; both must outlive it, and it
// must outlive every database that uses it.
class PoolEnv final : public leveldb::EnvWrapper {
 public:
  PoolEnv(leveldb::Env* base, ThreadPool* pool)
      : leveldb::EnvWrapper(base), pool_(pool) {}

  void Schedule(void (*function)(void*), void* argument) override;

  leveldb::Status NewRandomAccessFile(
      const std::string& name, leveldb::RandomAccessFile** file) override;

 private:
  ThreadPool* const pool_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_POOL_ENV_H_
