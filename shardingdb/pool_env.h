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
// Where a file is not there, which is NotFound in other Envs, reading it is
// Corruption, and making or renaming it IOError: LevelDB passes such errors on
// from Get and Write, where NotFound says that a key has no value.
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
  leveldb::Status NewWritableFile(const std::string& name,
                                  leveldb::WritableFile** file) override;
  leveldb::Status NewAppendableFile(const std::string& name,
                                    leveldb::WritableFile** file) override;
  leveldb::Status RenameFile(const std::string& from,
                             const std::string& to) override;

 private:
  ThreadPool* const pool_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_POOL_ENV_H_
