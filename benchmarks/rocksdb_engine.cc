// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/rocksdb_engine.h"

#ifndef SHARDINGDB_HAS_ROCKSDB

namespace shardingdb {

absl::Status CheckRocksDb() {
  return absl::FailedPreconditionError(
      "this program was built without RocksDB: install the package "
      "librocksdb-dev, run \"bazel sync --configure\" and build it again");
}

absl::StatusOr<std::unique_ptr<leveldb::DB>> OpenRocksDb(const RocksDbTuning&,
                                                         const std::string&) {
  return CheckRocksDb();
}

}  // namespace shardingdb

#else

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

leveldb::Slice Ours(const rocksdb::Slice& slice) {
  return leveldb::Slice(slice.data(), slice.size());
}

rocksdb::Slice Theirs(const leveldb::Slice& slice) {
  return rocksdb::Slice(slice.data(), slice.size());
}

leveldb::Status Ours(const rocksdb::Status& status) {
  if (status.ok()) return leveldb::Status::OK();
  const std::string text = status.ToString();
  if (status.IsNotFound()) return leveldb::Status::NotFound(text);
  if (status.IsCorruption()) return leveldb::Status::Corruption(text);
  if (status.IsNotSupported()) return leveldb::Status::NotSupported(text);
  if (status.IsInvalidArgument()) return leveldb::Status::InvalidArgument(text);
  return leveldb::Status::IOError(text);
}

class RocksDbSnapshot : public leveldb::Snapshot {
 public:
  explicit RocksDbSnapshot(const rocksdb::Snapshot* snapshot)
      : snapshot_(snapshot) {}
  ~RocksDbSnapshot() override = default;

  const rocksdb::Snapshot* get() const { return snapshot_; }

 private:
  const rocksdb::Snapshot* const snapshot_;  // its database's
};

rocksdb::ReadOptions Theirs(const leveldb::ReadOptions& options) {
  rocksdb::ReadOptions theirs;
  theirs.verify_checksums = options.verify_checksums;
  theirs.fill_cache = options.fill_cache;
  if (options.snapshot != nullptr) {
    theirs.snapshot =
        static_cast<const RocksDbSnapshot*>(options.snapshot)->get();
  }
  return theirs;
}

rocksdb::WriteOptions Theirs(const leveldb::WriteOptions& options) {
  rocksdb::WriteOptions theirs;
  theirs.sync = options.sync;
  return theirs;
}

class RocksDbIterator : public leveldb::Iterator {
 public:
  explicit RocksDbIterator(std::unique_ptr<rocksdb::Iterator> iterator)
      : iterator_(std::move(iterator)) {}

  bool Valid() const override { return iterator_->Valid(); }
  void SeekToFirst() override { iterator_->SeekToFirst(); }
  void SeekToLast() override { iterator_->SeekToLast(); }
  void Seek(const leveldb::Slice& target) override {
    iterator_->Seek(Theirs(target));
  }
  void Next() override { iterator_->Next(); }
  void Prev() override { iterator_->Prev(); }
  leveldb::Slice key() const override { return Ours(iterator_->key()); }
  leveldb::Slice value() const override { return Ours(iterator_->value()); }
  leveldb::Status status() const override { return Ours(iterator_->status()); }

 private:
  const std::unique_ptr<rocksdb::Iterator> iterator_;
};

class BatchCopier : public leveldb::WriteBatch::Handler {
 public:
  void Put(const leveldb::Slice& key, const leveldb::Slice& value) override {
    Note(batch_.Put(Theirs(key), Theirs(value)));
  }
  void Delete(const leveldb::Slice& key) override {
    Note(batch_.Delete(Theirs(key)));
  }

  rocksdb::WriteBatch* batch() { return &batch_; }
  const leveldb::Status& status() const { return status_; }

 private:
  void Note(const rocksdb::Status& status) {
    if (status_.ok() && !status.ok()) status_ = Ours(status);
  }

  rocksdb::WriteBatch batch_;
  leveldb::Status status_;
};

class RocksDb : public leveldb::DB {
 public:
  explicit RocksDb(std::unique_ptr<rocksdb::DB> db) : db_(std::move(db)) {}

  leveldb::Status Put(const leveldb::WriteOptions& options,
                      const leveldb::Slice& key,
                      const leveldb::Slice& value) override {
    return Ours(db_->Put(Theirs(options), Theirs(key), Theirs(value)));
  }
  leveldb::Status Delete(const leveldb::WriteOptions& options,
                         const leveldb::Slice& key) override {
    return Ours(db_->Delete(Theirs(options), Theirs(key)));
  }
  leveldb::Status Write(const leveldb::WriteOptions& options,
                        leveldb::WriteBatch* updates) override {
    BatchCopier copier;
    const leveldb::Status status = updates->Iterate(&copier);
    if (!status.ok()) return status;
    if (!copier.status().ok()) return copier.status();
    return Ours(db_->Write(Theirs(options), copier.batch()));
  }
  leveldb::Status Get(const leveldb::ReadOptions& options,
                      const leveldb::Slice& key, std::string* value) override {
    return Ours(db_->Get(Theirs(options), Theirs(key), value));
  }
  leveldb::Iterator* NewIterator(const leveldb::ReadOptions& options) override {
    return new RocksDbIterator(
        std::unique_ptr<rocksdb::Iterator>(db_->NewIterator(Theirs(options))));
  }
  const leveldb::Snapshot* GetSnapshot() override {
    return new RocksDbSnapshot(db_->GetSnapshot());
  }
  void ReleaseSnapshot(const leveldb::Snapshot* snapshot) override {
    const auto* const ours = static_cast<const RocksDbSnapshot*>(snapshot);
    db_->ReleaseSnapshot(ours->get());
    delete ours;
  }
  bool GetProperty(const leveldb::Slice& property,
                   std::string* value) override {
    return db_->GetProperty(Theirs(property), value);
  }
  void GetApproximateSizes(const leveldb::Range* range, int n,
                           uint64_t* sizes) override {
    for (int i = 0; i < n; ++i) {
      const rocksdb::Range theirs(Theirs(range[i].start),
                                  Theirs(range[i].limit));
      if (!db_->GetApproximateSizes(&theirs, 1, &sizes[i]).ok()) sizes[i] = 0;
    }
  }
  void CompactRange(const leveldb::Slice* begin,
                    const leveldb::Slice* end) override {
    const rocksdb::Slice first = begin == nullptr ? "" : Theirs(*begin);
    const rocksdb::Slice last = end == nullptr ? "" : Theirs(*end);
    db_->CompactRange(rocksdb::CompactRangeOptions(),
                      begin == nullptr ? nullptr : &first,
                      end == nullptr ? nullptr : &last)
        .PermitUncheckedError();
  }

 private:
  const std::unique_ptr<rocksdb::DB> db_;
};

void Tune(const RocksDbTuning& tuning, rocksdb::Options* options) {
  const int cores =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options->IncreaseParallelism(cores);
  options->max_subcompactions = static_cast<uint32_t>(cores);
  options->write_buffer_size = tuning.write_buffer_bytes;
  options->max_write_buffer_number = 2;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(tuning.block_cache_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(tuning.filter_bits));
  options->table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
}

}  // namespace

absl::Status CheckRocksDb() { return absl::OkStatus(); }

absl::StatusOr<std::unique_ptr<leveldb::DB>> OpenRocksDb(
    const RocksDbTuning& tuning, const std::string& path) {
  rocksdb::Options options;
  if (tuning.write_buffer_bytes != 0) Tune(tuning, &options);
  options.create_if_missing = true;
  options.error_if_exists = true;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, path, &db);
  if (!status.ok()) return ToAbslStatus(Ours(status));
  return std::make_unique<RocksDb>(std::unique_ptr<rocksdb::DB>(db));
}

}  // namespace shardingdb

#endif  // SHARDINGDB_HAS_ROCKSDB
