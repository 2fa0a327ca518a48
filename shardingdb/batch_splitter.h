// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BATCH_SPLITTER_H_
#define SHARDINGDB_BATCH_SPLITTER_H_

#include <cstdint>
#include <vector>

#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

// Sets *shard to where `key` lives. InvalidArgument, naming the function and
// the key, if the function's answer is no shard.
[[nodiscard]] leveldb::Status Locate(const ShardingFunc& function,
                                     const leveldb::Slice& key,
                                     uint32_t shard_count, uint32_t* shard);

// Splits batches by shard, in one pass, each shard's updates in the order of
// the batch. Keeps its buffers from batch to batch. For one thread at a time.
class BatchSplitter {
 public:
  // One shard's part of a batch.
  struct Part {
    uint32_t shard = 0;
    leveldb::WriteBatch batch;
  };

  // Splits `batch`. On an error (a key without a shard, a damaged batch) there
  // are no parts.
  [[nodiscard]] leveldb::Status Split(const leveldb::WriteBatch& batch,
                                      const ShardingFunc& function,
                                      uint32_t shard_count);

  // Parts of the last batch, each shard at most once, in the order of their
  // first updates. The caller may read them until the next Split or Clear.
  const std::vector<Part*>& parts() const { return parts_; }

  // Gives up the parts, and the buffers that have grown large.
  void Clear();

 private:
  class Sorter;

  Part* PartOf(uint32_t shard);

  std::vector<Part>
      pool_;  // parts_ points to the first of these; never shrinks
  std::vector<uint32_t> index_;  // shard -> its part's index in pool_ + 1, or 0
  std::vector<Part*> parts_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BATCH_SPLITTER_H_
