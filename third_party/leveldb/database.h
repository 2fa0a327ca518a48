// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef THIRD_PARTY_LEVELDB_DATABASE_H_
#define THIRD_PARTY_LEVELDB_DATABASE_H_

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/status.h"

namespace shardingdb {

// One plain LevelDB with small files on a given Env, opened as often as a test
// wants.
class Database {
 public:
  // `env` must outlive this object.
  explicit Database(leveldb::Env* env, const std::string& path = "/db")
      : path_(path) {
    options_.create_if_missing = true;
    options_.env = env;
    options_.write_buffer_size = 64 << 10;
    options_.max_file_size = 1 << 20;
    options_.compression = leveldb::kNoCompression;
  }

  // Closes it first if it is open.
  leveldb::Status Open() {
    db_.reset();
    leveldb::DB* db = nullptr;
    const leveldb::Status status = leveldb::DB::Open(options_, path_, &db);
    db_.reset(db);
    return status;
  }
  void Close() { db_.reset(); }

  leveldb::Status Put(const std::string& key, const std::string& value,
                      bool sync = false) {
    leveldb::WriteOptions write;
    write.sync = sync;
    return db_->Put(write, key, value);
  }

  // The value, or what the status says instead.
  std::string Get(const std::string& key) {
    std::string value;
    const leveldb::Status status =
        db_->Get(leveldb::ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }

  // Puts values until LevelDB goes over to a new log, or a put fails.
  leveldb::Status FillMemTable() {
    leveldb::Status status;
    for (int i = 0; i < 80 && status.ok(); ++i) {
      status = Put("filler", std::string(1000, 'f'));
    }
    return status;
  }

  leveldb::Options* options() { return &options_; }
  leveldb::DB* operator->() { return db_.get(); }

 private:
  const std::string path_;
  leveldb::Options options_;
  std::unique_ptr<leveldb::DB> db_;
};

}  // namespace shardingdb

#endif  // THIRD_PARTY_LEVELDB_DATABASE_H_
