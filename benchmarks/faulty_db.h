// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_FAULTY_DB_H_
#define SHARDINGDB_BENCHMARKS_FAULTY_DB_H_

#include <cstdint>
#include <string>

#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "testing/model_db.h"

namespace shardingdb {

// A plain leveldb::DB that is a map, but for one key.
class FaultyDb : public leveldb::DB {
 public:
  enum class Fault { kLosesIt, kAltersIt, kFindsIt, kKeepsIt, kFails };
  FaultyDb(const std::string& key, Fault fault) : key_(key), fault_(fault) {}

  leveldb::Status Put(const leveldb::WriteOptions& options,
                      const leveldb::Slice& key,
                      const leveldb::Slice& value) override {
    return map_.Put(options, key, value);
  }
  leveldb::Status Delete(const leveldb::WriteOptions& options,
                         const leveldb::Slice& key) override {
    if (key == key_ && fault_ == Fault::kKeepsIt) return leveldb::Status::OK();
    return map_.Delete(options, key);
  }
  leveldb::Status Write(const leveldb::WriteOptions& options,
                        leveldb::WriteBatch* updates) override {
    return map_.Write(options, updates);
  }
  leveldb::Status Get(const leveldb::ReadOptions& options,
                      const leveldb::Slice& key, std::string* value) override {
    if (key != key_) return map_.Get(options, key, value);
    switch (fault_) {
      case Fault::kLosesIt:
        return leveldb::Status::NotFound("");
      case Fault::kFails:
        return leveldb::Status::IOError("the disk is gone");
      case Fault::kAltersIt:
      case Fault::kFindsIt:
        *value = "other";
        return leveldb::Status::OK();
      case Fault::kKeepsIt:
        break;
    }
    return map_.Get(options, key, value);
  }
  leveldb::Iterator* NewIterator(const leveldb::ReadOptions& options) override {
    return map_.NewIterator(options);
  }
  const leveldb::Snapshot* GetSnapshot() override { return map_.GetSnapshot(); }
  void ReleaseSnapshot(const leveldb::Snapshot* snapshot) override {
    map_.ReleaseSnapshot(snapshot);
  }
  bool GetProperty(const leveldb::Slice&, std::string*) override {
    return false;
  }
  void GetApproximateSizes(const leveldb::Range*, int, uint64_t*) override {}
  void CompactRange(const leveldb::Slice*, const leveldb::Slice*) override {}

 private:
  ModelDb map_;
  const std::string key_;
  const Fault fault_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_FAULTY_DB_H_
