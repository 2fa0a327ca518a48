// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_PREFIX_SHARDING_H_
#define SHARDINGDB_PREFIX_SHARDING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

// The names of all prefix functions start with this.
inline constexpr char kPrefixShardingName[] = "prefix";

// What PrefixSharding and PrefixLengthSharding make: the base function, "jump",
// of a part of the key that `PrefixLength` says.
class AnyPrefixSharding : public ShardingFunc {
 public:
  const std::string& name() const final { return name_; }
  uint32_t ShardOf(const leveldb::Slice& key, uint32_t shard_count) const final;

  // Known also of a range within the keys of one prefix.
  std::optional<uint32_t> ShardOfRange(const leveldb::Range& range,
                                       uint32_t shard_count) const final;

  // False for parameters that no function can have.
  virtual bool IsPossible() const = 0;

 protected:
  explicit AnyPrefixSharding(std::string name)
      : name_(std::move(name)), base_(JumpSharding()) {}

  // How many bytes of `key` its prefix has. Nothing if its prefix is the whole
  // key, and keys that begin with `key` may have a longer prefix.
  virtual std::optional<size_t> PrefixLength(
      const leveldb::Slice& key) const = 0;

 private:
  const std::string name_;
  const ShardingFuncPtr base_;
};

// Makes the function that `name`, which starts with "prefix", means.
// InvalidArgument, with the two forms there are, for any other name.
[[nodiscard]] absl::StatusOr<ShardingFuncPtr> ParsePrefixSharding(
    absl::string_view name);

}  // namespace shardingdb

#endif  // SHARDINGDB_PREFIX_SHARDING_H_
