// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CUSTOM_SHARDING_H_
#define SHARDINGDB_CUSTOM_SHARDING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "leveldb/slice.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

// What the function CustomSharding makes: a name and a callable.
class CallableSharding final : public ShardingFunc {
 public:
  using Callable =
      std::function<uint32_t(const leveldb::Slice& key, uint32_t shard_count)>;

  CallableSharding(std::string name, Callable shard_of)
      : name_(std::move(name)), shard_of_(std::move(shard_of)) {}

  const std::string& name() const override { return name_; }

  // Out of range if there is no callable.
  uint32_t ShardOf(const leveldb::Slice& key,
                   uint32_t shard_count) const override {
    return shard_of_ ? shard_of_(key, shard_count) : shard_count;
  }

  bool has_callable() const { return shard_of_ != nullptr; }

 private:
  const std::string name_;
  const Callable shard_of_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CUSTOM_SHARDING_H_
