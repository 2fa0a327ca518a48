// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/batch_splitter.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/reserved_key.h"

namespace shardingdb {
namespace {

// A part whose buffer has grown beyond this is given back, so that many threads
// and shards do not keep their largest batch.
constexpr size_t kKeptBytes = size_t{64} << 10;

}  // namespace

leveldb::Status Locate(const ShardingFunc& function, const leveldb::Slice& key,
                       uint32_t shard_count, uint32_t* shard) {
  *shard = shard_count == 1 ? 0 : function.ShardOf(key, shard_count);
  if (*shard < shard_count) return leveldb::Status::OK();
  return leveldb::Status::InvalidArgument(absl::StrCat(
      "sharding function \"", function.name(), "\" answered shard ", *shard,
      " of ", shard_count, " for key ", DescribeKey(key)));
}

class BatchSplitter::Sorter : public leveldb::WriteBatch::Handler {
 public:
  Sorter(BatchSplitter* splitter, const ShardingFunc& function,
         uint32_t shard_count)
      : splitter_(splitter), function_(function), shard_count_(shard_count) {}

  void Put(const leveldb::Slice& key, const leveldb::Slice& value) override {
    if (Part* part = Find(key)) part->batch.Put(key, value);
  }
  void Delete(const leveldb::Slice& key) override {
    if (Part* part = Find(key)) part->batch.Delete(key);
  }

  const leveldb::Status& status() const { return status_; }

 private:
  Part* Find(const leveldb::Slice& key) {
    uint32_t shard;
    if (status_.ok()) status_ = CheckNotReserved(key);
    if (status_.ok()) status_ = Locate(function_, key, shard_count_, &shard);
    return status_.ok() ? splitter_->PartOf(shard) : nullptr;
  }

  BatchSplitter* const splitter_;
  const ShardingFunc& function_;
  const uint32_t shard_count_;
  leveldb::Status status_;
};

leveldb::Status BatchSplitter::Split(const leveldb::WriteBatch& batch,
                                     const ShardingFunc& function,
                                     uint32_t shard_count) {
  Clear();
  if (index_.size() < shard_count) {
    index_.resize(shard_count);
    pool_.reserve(shard_count);  // parts_ points into it
  }
  Sorter sorter(this, function, shard_count);
  leveldb::Status status = batch.Iterate(&sorter);
  if (status.ok()) status = sorter.status();
  if (!status.ok()) Clear();
  return status;
}

BatchSplitter::Part* BatchSplitter::PartOf(uint32_t shard) {
  if (index_[shard] != 0) return &pool_[index_[shard] - 1];
  const size_t next = parts_.size();
  if (next == pool_.size()) pool_.emplace_back();
  Part* part = &pool_[next];
  part->shard = shard;
  index_[shard] = static_cast<uint32_t>(next + 1);
  parts_.push_back(part);
  return part;
}

void BatchSplitter::Clear() {
  for (Part* part : parts_) {
    index_[part->shard] = 0;
    if (part->batch.ApproximateSize() > kKeptBytes) {
      part->batch = leveldb::WriteBatch();
    } else {
      part->batch.Clear();
    }
  }
  parts_.clear();
}

}  // namespace shardingdb
