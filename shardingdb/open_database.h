// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_OPEN_DATABASE_H_
#define SHARDINGDB_OPEN_DATABASE_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "shardingdb/database_lock.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/file_budget.h"
#include "shardingdb/shared_resources.h"

namespace shardingdb {

// A shard's place in an open-file budget, given back at the end.
class FileShare {
 public:
  // `budget`, which has admitted the shard, must outlive this object.
  explicit FileShare(FileBudget* budget) : budget_(budget) {}
  FileShare(const FileShare&) = delete;
  FileShare& operator=(const FileShare&) = delete;
  ~FileShare() { budget_->Release(); }

 private:
  FileBudget* const budget_;
};

// An open leveldb::DB and all that has to stay as long as it is open. The
// handle and its iterators share it, so an iterator never outlives its
// database.
struct OpenDatabase {
  // Each member needs those above it, so the database goes first.
  std::shared_ptr<SharedResources> resources;  // null: the caller's own affair
  std::unique_ptr<FileShare> file_share;
  std::shared_ptr<leveldb::Logger> logger;  // null: the caller's, or LevelDB's
  std::shared_ptr<leveldb::Env> read_only_env;  // null if it may be written
  std::unique_ptr<leveldb::Env> opening_env;
  std::shared_ptr<const DatabaseLock> lock;
  std::unique_ptr<leveldb::DB> db;

  // Not owned; null where it is not known.
  const leveldb::Cache* block_cache = nullptr;

  std::atomic<uint64_t> open_iterators{0};
  std::atomic<uint64_t> open_snapshots{0};
};

// Makes the handle of `database`, whose order is that of `comparator`.
std::unique_ptr<DbHandle> NewLevelDbHandle(
    std::shared_ptr<OpenDatabase> database,
    const leveldb::Comparator* comparator);

}  // namespace shardingdb

#endif  // SHARDINGDB_OPEN_DATABASE_H_
