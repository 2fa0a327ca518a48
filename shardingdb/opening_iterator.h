// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_OPENING_ITERATOR_H_
#define SHARDINGDB_OPENING_ITERATOR_H_

#include <memory>
#include <string>

#include "crypto/aead.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {

// Replaces *value with what `aead` opens from `sealed`, the stored value of
// `key`. On an error *value is empty and the status is the one that
// EncryptedDbHandle's callers see.
[[nodiscard]] leveldb::Status OpenValue(const Aead& aead,
                                        const leveldb::Slice& key,
                                        const leveldb::Slice& sealed,
                                        std::string* value);

// Returns an iterator over the entries of `sealed` whose value() opens the
// stored value when first asked for. A value that does not open makes it
// invalid until it is moved by a Seek*.
[[nodiscard]] std::unique_ptr<leveldb::Iterator> NewOpeningIterator(
    std::unique_ptr<leveldb::Iterator> sealed,
    std::shared_ptr<const Aead> aead);

}  // namespace shardingdb

#endif  // SHARDINGDB_OPENING_ITERATOR_H_
