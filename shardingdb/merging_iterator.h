// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_MERGING_ITERATOR_H_
#define SHARDINGDB_MERGING_ITERATOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "leveldb/comparator.h"
#include "leveldb/iterator.h"

namespace shardingdb {

// Returns one iterator over the entries of all `children`, in the order of
// `comparator`, forwards and backwards with every turn. A step costs about
// log2(children) comparisons.
//
// Children of a shard set share no keys. Where two do, both entries are shown,
// that of the lower index first (last when going backwards).
//
// Reserved keys (reserved_key.h) are not shown.
//
// As soon as any child has failed, the iterator is invalid and status() is that
// child's error with the child's index in front ("shard 2: ..."): a scan never
// silently lacks a child, or a part of one. Where several have failed it is
// that of the lowest index. A later Seek, SeekToFirst or SeekToLast tries
// again.
//
// `comparator` must outlive the iterator. No child may be null. Zero children
// make an empty iterator. The children are the shards `first_shard`,
// first_shard + 1, ...: the index in a message.
[[nodiscard]] std::unique_ptr<leveldb::Iterator> NewMergingIterator(
    const leveldb::Comparator* comparator,
    std::vector<std::unique_ptr<leveldb::Iterator>> children,
    uint32_t first_shard = 0);

}  // namespace shardingdb

#endif  // SHARDINGDB_MERGING_ITERATOR_H_
