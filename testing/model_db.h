// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_MODEL_DB_H_
#define SHARDINGDB_TESTING_MODEL_DB_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"

namespace shardingdb {

// A DbHandle that is a std::map under one mutex: what every other DbHandle has
// to behave like, and a shard that needs no disk.
//
// So simple that it can be checked by reading: a snapshot or an iterator keeps
// the map as it was, and the next write works on a copy. Holds nothing once it
// is closed. It counts as one shard, and its sizes are those of keys and
// values.
class ModelDb final : public DbHandle {
 public:
  // `comparator` must outlive this object.
  explicit ModelDb(
      const leveldb::Comparator* comparator = leveldb::BytewiseComparator());
  ~ModelDb() override;

  leveldb::Status Put(const leveldb::WriteOptions& options,
                      const leveldb::Slice& key,
                      const leveldb::Slice& value) override;
  leveldb::Status Delete(const leveldb::WriteOptions& options,
                         const leveldb::Slice& key) override;
  leveldb::Status Write(const leveldb::WriteOptions& options,
                        leveldb::WriteBatch* updates) override;
  leveldb::Status Get(const leveldb::ReadOptions& options,
                      const leveldb::Slice& key, std::string* value) override;
  leveldb::Iterator* NewIterator(const leveldb::ReadOptions& options) override;
  const leveldb::Snapshot* GetSnapshot() override;
  void ReleaseSnapshot(const leveldb::Snapshot* snapshot) override;
  bool GetProperty(const leveldb::Slice& property, std::string* value) override;
  void GetApproximateSizes(const leveldb::Range* range, int n,
                           uint64_t* sizes) override;
  void CompactRange(const leveldb::Slice* begin,
                    const leveldb::Slice* end) override;

  leveldb::Status Has(const leveldb::ReadOptions& options,
                      const leveldb::Slice& key, bool* found) override;
  std::vector<leveldb::Status> MultiGet(
      const leveldb::ReadOptions& options,
      absl::Span<const leveldb::Slice> keys,
      std::vector<std::string>* values) override;
  std::unique_ptr<leveldb::Iterator> NewRangeIterator(
      const leveldb::ReadOptions& options,
      const leveldb::Range& range) override;
  DbStats GetStats() override;
  leveldb::Status SetReadOnly(bool read_only) override;
  leveldb::Status Close() override;
  const leveldb::Comparator* comparator() const override;

 private:
  class RangeIterator;
  struct State;

  // Shared with the iterators, which must not outlive the handle but then are
  // no use after free either.
  const std::shared_ptr<State> state_;
};

// `count` of them, as shards of a set.
std::vector<std::unique_ptr<DbHandle>> ModelShards(int count);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_MODEL_DB_H_
