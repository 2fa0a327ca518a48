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
  RouterSnapshot(const void* owner, std::vector<const leveldb::Snapshot*> parts)
      : owner_(owner), parts_(std::move(parts)) {}

  const void* owner() const { return owner_; }
  const leveldb::Snapshot* part(uint32_t shard) const { return parts_[shard]; }

 private:
  const void* const owner_;
  const std::vector<const leveldb::Snapshot*> parts_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_ROUTER_SNAPSHOT_H_
