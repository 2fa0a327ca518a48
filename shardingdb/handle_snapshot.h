// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_HANDLE_SNAPSHOT_H_
#define SHARDINGDB_HANDLE_SNAPSHOT_H_

#include "leveldb/db.h"

namespace shardingdb {

// A snapshot that knows its database: what LevelDB makes of a snapshot of
// another one is undefined.
class HandleSnapshot final : public leveldb::Snapshot {
 public:
  // Neither `owner` nor `base`, a snapshot of `owner`, is owned.
  HandleSnapshot(const leveldb::DB* owner, const leveldb::Snapshot* base)
      : owner_(owner), base_(base) {}
  ~HandleSnapshot() override = default;

  // Returns `snapshot` if it is one of `owner`, else null. It may be of any
  // class, but must not have been released.
  static const HandleSnapshot* Of(const leveldb::Snapshot* snapshot,
                                  const leveldb::DB* owner) {
    const auto* const own = dynamic_cast<const HandleSnapshot*>(snapshot);
    return own != nullptr && own->owner_ == owner ? own : nullptr;
  }

  const leveldb::Snapshot* base() const { return base_; }

 private:
  const leveldb::DB* const owner_;
  const leveldb::Snapshot* const base_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_HANDLE_SNAPSHOT_H_
