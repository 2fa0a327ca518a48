// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/leveldb_handle.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/entry_size.h"
#include "shardingdb/handle_counters.h"
#include "shardingdb/handle_snapshot.h"
#include "shardingdb/open_database.h"
#include "shardingdb/range_iterator.h"
#include "shardingdb/status.h"
#include "shardingdb/write_gate.h"

namespace shardingdb {
namespace {

leveldb::Status Closed() {
  return leveldb::Status::IOError("the database is closed");
}

leveldb::Status NullPointer(const char* what) {
  return leveldb::Status::InvalidArgument(absl::StrCat(what, " is null"));
}

// Counts what a batch does.
class BatchSize final : public leveldb::WriteBatch::Handler {
 public:
  void Put(const leveldb::Slice& key, const leveldb::Slice& value) override {
    ++puts;
    bytes += key.size() + value.size();
  }
  void Delete(const leveldb::Slice& key) override {
    ++deletes;
    bytes += key.size();
  }

  uint64_t puts = 0;
  uint64_t deletes = 0;
  uint64_t bytes = 0;
};

// Ends an iterator's share in its database.
void ForgetIterator(void* database, void*) {
  auto* const shared = static_cast<std::shared_ptr<OpenDatabase>*>(database);
  (*shared)->open_iterators.fetch_sub(1, std::memory_order_release);
  delete shared;
}

// An iterator of a database over any Env: a file that is missing is damage.
class WrappedIterator final : public leveldb::Iterator {
 public:
  explicit WrappedIterator(leveldb::Iterator* base) : base_(base) {}

  bool Valid() const override { return base_->Valid(); }
  void SeekToFirst() override { base_->SeekToFirst(); }
  void SeekToLast() override { base_->SeekToLast(); }
  void Seek(const leveldb::Slice& target) override { base_->Seek(target); }
  void Next() override { base_->Next(); }
  void Prev() override { base_->Prev(); }
  leveldb::Slice key() const override { return base_->key(); }
  leveldb::Slice value() const override { return base_->value(); }
  leveldb::Status status() const override {
    return MissingIsCorruption(base_->status());
  }

 private:
  const std::unique_ptr<leveldb::Iterator> base_;
};

class LevelDbHandle final : public DbHandle {
 public:
  LevelDbHandle(std::shared_ptr<OpenDatabase> database,
                const leveldb::Comparator* comparator)
      : database_(std::move(database)), comparator_(comparator) {
    if (database_->read_only_env != nullptr) gate_.Close();
  }

  ~LevelDbHandle() override {
    assert((database_ == nullptr || database_->open_iterators == 0) &&
           "an iterator outlives its database");
    assert((database_ == nullptr || database_->open_snapshots == 0) &&
           "a snapshot outlives its database");
  }

  leveldb::Status Put(const leveldb::WriteOptions& options,
                      const leveldb::Slice& key,
                      const leveldb::Slice& value) override {
    const WriteGate::Pass pass(&gate_);
    leveldb::Status status = CheckWrite(pass);
    if (status.ok()) status = CheckEntrySize(key, value);
    if (status.ok()) status = db()->Put(options, key, value);
    if (status.ok()) counters_.CountWrite(1, 0, key.size() + value.size());
    return MissingIsIOError(status);
  }

  leveldb::Status Delete(const leveldb::WriteOptions& options,
                         const leveldb::Slice& key) override {
    const WriteGate::Pass pass(&gate_);
    leveldb::Status status = CheckWrite(pass);
    if (status.ok()) status = db()->Delete(options, key);
    if (status.ok()) counters_.CountWrite(0, 1, key.size());
    return MissingIsIOError(status);
  }

  leveldb::Status Write(const leveldb::WriteOptions& options,
                        leveldb::WriteBatch* updates) override {
    if (updates == nullptr) return NullPointer("the batch");
    const WriteGate::Pass pass(&gate_);
    leveldb::Status status = CheckWrite(pass);
    BatchSize size;
    if (status.ok()) status = updates->Iterate(&size);
    if (status.ok()) status = db()->Write(options, updates);
    if (status.ok()) counters_.CountWrite(size.puts, size.deletes, size.bytes);
    return MissingIsIOError(status);
  }

  leveldb::Status Get(const leveldb::ReadOptions& options,
                      const leveldb::Slice& key, std::string* value) override {
    if (value == nullptr) return NullPointer("the value");
    leveldb::ReadOptions read;
    const leveldb::Status status = Translate(options, &read);
    return status.ok() ? Look(read, key, value) : status;
  }

  leveldb::Status Has(const leveldb::ReadOptions& options,
                      const leveldb::Slice& key, bool* found) override {
    if (found == nullptr) return NullPointer("found");
    std::string value;
    const leveldb::Status status = Get(options, key, &value);
    *found = status.ok();
    return status.IsNotFound() ? leveldb::Status::OK() : status;
  }

  std::vector<leveldb::Status> MultiGet(
      const leveldb::ReadOptions& options,
      absl::Span<const leveldb::Slice> keys,
      std::vector<std::string>* values) override {
    std::vector<leveldb::Status> statuses(keys.size());
    leveldb::ReadOptions read;
    leveldb::Status status =
        values == nullptr ? NullPointer("values") : Translate(options, &read);
    // Apart from `*values`, which the keys may point into.
    std::vector<std::string> found(keys.size());
    if (!status.ok()) {
      std::fill(statuses.begin(), statuses.end(), status);
      if (values != nullptr) *values = std::move(found);
      return statuses;
    }
    const bool own_snapshot = read.snapshot == nullptr && keys.size() > 1;
    if (own_snapshot) read.snapshot = db()->GetSnapshot();
    for (size_t i = 0; i < keys.size(); ++i) {
      statuses[i] = Look(read, keys[i], &found[i]);
      if (!statuses[i].ok()) found[i].clear();
    }
    if (own_snapshot) db()->ReleaseSnapshot(read.snapshot);
    *values = std::move(found);
    return statuses;
  }

  leveldb::Iterator* NewIterator(const leveldb::ReadOptions& options) override {
    leveldb::ReadOptions read;
    const leveldb::Status status = Translate(options, &read);
    if (!status.ok()) return leveldb::NewErrorIterator(status);
    leveldb::Iterator* iterator = db()->NewIterator(read);
    if (IsWrapped()) iterator = new WrappedIterator(iterator);
    database_->open_iterators.fetch_add(1, std::memory_order_relaxed);
    iterator->RegisterCleanup(
        ForgetIterator, new std::shared_ptr<OpenDatabase>(database_), nullptr);
    return iterator;
  }

  std::unique_ptr<leveldb::Iterator> NewRangeIterator(
      const leveldb::ReadOptions& options,
      const leveldb::Range& range) override {
    return NewBoundedIterator(
        std::unique_ptr<leveldb::Iterator>(NewIterator(options)), comparator_,
        range);
  }

  // Null once the database is closed: no read asks for it then.
  const leveldb::Snapshot* GetSnapshot() override {
    if (database_ == nullptr) return nullptr;
    database_->open_snapshots.fetch_add(1, std::memory_order_relaxed);
    return new HandleSnapshot(this, db()->GetSnapshot());
  }

  void ReleaseSnapshot(const leveldb::Snapshot* snapshot) override {
    if (snapshot == nullptr) return;
    const HandleSnapshot* const own = HandleSnapshot::Of(snapshot, this);
    assert(own != nullptr && "a snapshot of another database");
    if (own == nullptr || database_ == nullptr) return;
    db()->ReleaseSnapshot(own->base());
    database_->open_snapshots.fetch_sub(1, std::memory_order_release);
    delete own;
  }

  bool GetProperty(const leveldb::Slice& property,
                   std::string* value) override {
    return value != nullptr && database_ != nullptr &&
           db()->GetProperty(property, value);
  }

  void GetApproximateSizes(const leveldb::Range* range, int n,
                           uint64_t* sizes) override {
    if (range == nullptr || sizes == nullptr || n <= 0) return;
    if (database_ == nullptr) {
      std::fill_n(sizes, n, 0);
    } else {
      db()->GetApproximateSizes(range, n, sizes);
    }
  }

  void CompactRange(const leveldb::Slice* begin,
                    const leveldb::Slice* end) override {
    if (database_ == nullptr || database_->read_only_env != nullptr) return;
    db()->CompactRange(begin, end);
  }

  DbStats GetStats() override {
    DbStats stats;
    stats.shards = 1;
    counters_.AddTo(&stats);
    stats.read_only = gate_.closed();
    if (database_ == nullptr) return stats;
    stats.open_iterators =
        database_->open_iterators.load(std::memory_order_relaxed);
    stats.open_snapshots =
        database_->open_snapshots.load(std::memory_order_relaxed);
    std::string usage;
    if (db()->GetProperty("leveldb.approximate-memory-usage", &usage)) {
      // Also if it is no number: then it is 0.
      (void)absl::SimpleAtoi(usage, &stats.memory_bytes);
    }
    stats.memtable_bytes = stats.memory_bytes;
    if (database_->block_cache != nullptr) {
      // The two numbers are taken one after the other, so one may have grown.
      stats.block_cache = database_->block_cache;
      stats.block_cache_bytes = std::min<uint64_t>(
          database_->block_cache->TotalCharge(), stats.memory_bytes);
      stats.memtable_bytes -= stats.block_cache_bytes;
    }
    return stats;
  }

  leveldb::Status SetReadOnly(bool read_only) override {
    if (database_ == nullptr) return Closed();
    if (read_only) {
      gate_.Close();
    } else if (database_->read_only_env != nullptr) {
      return leveldb::Status::NotSupported(
          "the database has been opened to read only");
    } else {
      gate_.Open();
    }
    return leveldb::Status::OK();
  }

  leveldb::Status Close() override {
    if (database_ == nullptr) return leveldb::Status::OK();
    const uint64_t iterators =
        database_->open_iterators.load(std::memory_order_acquire);
    const uint64_t snapshots =
        database_->open_snapshots.load(std::memory_order_acquire);
    if (iterators > 0 || snapshots > 0) {
      return leveldb::Status::InvalidArgument(
          absl::StrCat("cannot close the database: ", iterators,
                       " iterators and ", snapshots, " snapshots are open"));
    }
    database_.reset();
    return leveldb::Status::OK();
  }

  const leveldb::Comparator* comparator() const override { return comparator_; }

 private:
  leveldb::DB* db() const { return database_->db.get(); }

  // Whether the caller has opened the database, over an Env that may say
  // NotFound of a file that is read: PoolEnv says Corruption.
  bool IsWrapped() const { return database_->resources == nullptr; }

  leveldb::Status CheckWrite(const WriteGate::Pass& pass) const {
    if (database_ == nullptr) return Closed();
    if (!pass.ok()) {
      return leveldb::Status::NotSupported("the database is read-only");
    }
    return leveldb::Status::OK();
  }

  // Turns a caller's options into those that LevelDB understands.
  leveldb::Status Translate(const leveldb::ReadOptions& options,
                            leveldb::ReadOptions* read) const {
    if (database_ == nullptr) return Closed();
    *read = options;
    read->verify_checksums = true;  // a wrong answer is worse than none
    if (options.snapshot == nullptr) return leveldb::Status::OK();
    const HandleSnapshot* const own =
        HandleSnapshot::Of(options.snapshot, this);
    if (own == nullptr) {
      return leveldb::Status::InvalidArgument(
          "the snapshot is one of another database");
    }
    read->snapshot = own->base();
    return leveldb::Status::OK();
  }

  leveldb::Status Look(const leveldb::ReadOptions& read,
                       const leveldb::Slice& key, std::string* value) {
    leveldb::Status status = db()->Get(read, key, value);
    if (status.ok()) {
      counters_.CountHit(value->size());
      return status;
    }
    counters_.CountMiss();
    if (!status.IsNotFound()) return status;
    // With a text it is a file that is missing.
    const bool is_of_key = !IsWrapped() || MessageOf(status).empty();
    return is_of_key ? status : MissingIsCorruption(status);
  }

  std::shared_ptr<OpenDatabase> database_;  // null once closed
  const leveldb::Comparator* const comparator_;
  WriteGate gate_;
  HandleCounters counters_;
};

}  // namespace

std::unique_ptr<DbHandle> NewLevelDbHandle(
    std::shared_ptr<OpenDatabase> database,
    const leveldb::Comparator* comparator) {
  return std::make_unique<LevelDbHandle>(std::move(database), comparator);
}

absl::StatusOr<std::unique_ptr<DbHandle>> WrapLevelDb(
    std::unique_ptr<leveldb::DB> db, const leveldb::Comparator* comparator) {
  if (db == nullptr) {
    return absl::InvalidArgumentError("the database to wrap is null");
  }
  if (comparator == nullptr) {
    return absl::InvalidArgumentError("the comparator is null");
  }
  auto database = std::make_shared<OpenDatabase>();
  database->db = std::move(db);
  return NewLevelDbHandle(std::move(database), comparator);
}

}  // namespace shardingdb
