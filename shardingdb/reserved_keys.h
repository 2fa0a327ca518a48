// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESERVED_KEYS_H_
#define SHARDINGDB_RESERVED_KEYS_H_

#include <string>

#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "shardingdb/applied_lsn.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/shard_label.h"

namespace shardingdb {

// Keeps the records that this project has in its shards from those who use the
// shards as a database: which keys nobody may read or write.
//
// These are the reserved keys, by their bytes, and, where a comparator takes
// another key for that of a record, that one too: its entry would take the
// record's place. Immutable; for a bytewise order a question costs one
// comparison of a few bytes.
class ReservedKeys {
 public:
  // `comparator` must outlive it.
  explicit ReservedKeys(const leveldb::Comparator* comparator)
      : other_order_(comparator == leveldb::BytewiseComparator() ? nullptr
                                                                 : comparator) {
  }

  bool Hide(const leveldb::Slice& key) const {
    return IsReservedKey(key) ||
           (other_order_ != nullptr &&
            (other_order_->Compare(key, ShardLabelKey()) == 0 ||
             other_order_->Compare(key, AppliedLsnKey()) == 0));
  }

  // InvalidArgument for a key that they hide.
  leveldb::Status CheckWrite(const leveldb::Slice& key) const {
    return Hide(key) ? RefusedAsReserved() : leveldb::Status::OK();
  }

 private:
  const leveldb::Comparator* const other_order_;  // null for a bytewise order
};

// Moves an iterator of a shard that stands at a reserved key on to the next
// entry that is none, forwards or backwards. Not where there was an error.
inline void SkipReservedForward(leveldb::Iterator* iterator) {
  while (iterator->Valid() && IsReservedKey(iterator->key()) &&
         iterator->status().ok()) {
    iterator->Next();
  }
}
inline void SkipReservedBackward(leveldb::Iterator* iterator) {
  while (iterator->Valid() && IsReservedKey(iterator->key()) &&
         iterator->status().ok()) {
    iterator->Prev();
  }
}

}  // namespace shardingdb

#endif  // SHARDINGDB_RESERVED_KEYS_H_
