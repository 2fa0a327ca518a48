// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RANGE_ITERATOR_H_
#define SHARDINGDB_RANGE_ITERATOR_H_

#include <memory>

#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"

namespace shardingdb {

// Returns an iterator that shows the part of `base` that lies in [range.start,
// range.limit), as DbHandle::NewRangeIterator describes. Its status is that of
// `base`. The range is copied. `base` must not be null; `comparator` is the
// order of `base` and must outlive the iterator.
[[nodiscard]] std::unique_ptr<leveldb::Iterator> NewBoundedIterator(
    std::unique_ptr<leveldb::Iterator> base,
    const leveldb::Comparator* comparator, const leveldb::Range& range);

}  // namespace shardingdb

#endif  // SHARDINGDB_RANGE_ITERATOR_H_
