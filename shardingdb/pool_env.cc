// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/pool_env.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// LevelDB's Env opens some files anew for each read, when they may have gone.
class PoolFile final : public leveldb::RandomAccessFile {
 public:
  explicit PoolFile(leveldb::RandomAccessFile* base) : base_(base) {}

  leveldb::Status Read(uint64_t offset, size_t n, leveldb::Slice* result,
                       char* scratch) const override {
    return MissingIsCorruption(base_->Read(offset, n, result, scratch));
  }

 private:
  const std::unique_ptr<leveldb::RandomAccessFile> base_;
};

}  // namespace

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
  if (status.ok()) *file = new PoolFile(*file);
  return MissingIsCorruption(status);
}

leveldb::Status PoolEnv::NewWritableFile(const std::string& name,
                                         leveldb::WritableFile** file) {
  return MissingIsIOError(target()->NewWritableFile(name, file));
}

leveldb::Status PoolEnv::NewAppendableFile(const std::string& name,
                                           leveldb::WritableFile** file) {
  return MissingIsIOError(target()->NewAppendableFile(name, file));
}

leveldb::Status PoolEnv::RenameFile(const std::string& from,
                                    const std::string& to) {
  return MissingIsIOError(target()->RenameFile(from, to));
}

}  // namespace shardingdb
