// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_ROUTER_SNAPSHOT_H_
#define SHARDINGDB_ROUTER_SNAPSHOT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "leveldb/db.h"

namespace shardingdb {

// What ShardRouter's snapshots are: a snapshot of each shard, all taken at one
// point of the order of writes.
class RouterSnapshot final : public leveldb::Snapshot {
 public:
  RouterSnapshot(const leveldb::DB* owner,
                 std::vector<const leveldb::Snapshot*> parts)
      : owner_(owner), parts_(std::move(parts)) {}

  // Returns `snapshot` if it is one of `owner`, else null. It may be of any
  // class, but must not have been released.
  static const RouterSnapshot* Of(const leveldb::Snapshot* snapshot,
                                  const leveldb::DB* owner) {
    const auto* const own = dynamic_cast<const RouterSnapshot*>(snapshot);
    return own != nullptr && own->owner_ == owner ? own : nullptr;
  }

  const leveldb::Snapshot* part(uint32_t shard) const { return parts_[shard]; }

 private:
  const leveldb::DB* const owner_;
  const std::vector<const leveldb::Snapshot*> parts_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_ROUTER_SNAPSHOT_H_
