// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_OPENING_ITERATOR_H_
#define SHARDINGDB_OPENING_ITERATOR_H_

#include <memory>

#include "leveldb/iterator.h"
#include "shardingdb/value_sealer.h"

namespace shardingdb {

// Returns an iterator over the entries of `sealed` whose value() opens the
// stored value when first asked for. A value that does not open makes it
// invalid until it is moved by a Seek*.
[[nodiscard]] std::unique_ptr<leveldb::Iterator> NewOpeningIterator(
    std::unique_ptr<leveldb::Iterator> sealed,
    std::shared_ptr<const ValueSealer> sealer);

}  // namespace shardingdb

#endif  // SHARDINGDB_OPENING_ITERATOR_H_
