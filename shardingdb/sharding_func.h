// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARDING_FUNC_H_
#define SHARDINGDB_SHARDING_FUNC_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"

namespace shardingdb {

// The largest number of shards of one set.
inline constexpr uint32_t kMaxShards = 65535;

// Says in which shard a key lives.
//
// Its name is part of the format on disk: a function that sends any key elsewhere than before needs a new name.
//
// Implementations are pure (the same answer for the same arguments, for ever) and safe to call from any thread. Keys that a
// custom comparator calls equal must get the same shard.
class ShardingFunc {
 public:
  virtual ~ShardingFunc() = default;

  // Printable ASCII without spaces or commas, 1 to 64 characters; parameters included ("prefix:delimiter=2f").
  virtual const std::string& name() const = 0;

  // Returns a number below `shard_count`, which is 1 to kMaxShards. The caller checks: an answer out of range is reported as
  // an error of the function.
  virtual uint32_t ShardOf(const leveldb::Slice& key, uint32_t shard_count) const = 0;

  // The one shard that holds every key of [range.start, range.limit) in bytewise order, where that is known. An empty limit
  // means no upper bound.
  virtual std::optional<uint32_t> ShardOfRange(const leveldb::Range& range, uint32_t shard_count) const;

  // False for functions that exist to read old data only.
  virtual bool allowed_for_new_sets() const;
};

using ShardingFuncPtr = std::shared_ptr<const ShardingFunc>;

// "jump", the default for new sets: the first 64 bits of MurmurHash3_x64_128 (seed 0, Austin Appleby) of the key, then jump
// consistent hash (Lamping and Veach, arXiv:1406.2294). Adding shard N moves 1/(N+1) of the keys, all of them to that shard.
ShardingFuncPtr JumpSharding();

// "murmur", "sha256", "xor": what the Go library shardingdb calls MurmurSharding, Sha256Sharding and XorSharding16, bit for
// bit. "xor" spreads badly and is for reading old data only.
ShardingFuncPtr MurmurSharding();
ShardingFuncPtr Sha256Sharding();
ShardingFuncPtr XorSharding();

// "prefix:delimiter=XX" (two hex digits) and "prefix:length=N": jump of the key's prefix only, so that a scan of one prefix
// touches one shard. The prefix is the key up to and including the first `delimiter`, or its first `length` bytes (1 to
// 65,535); the whole key where there is no delimiter, or fewer bytes.
ShardingFuncPtr PrefixSharding(char delimiter);
ShardingFuncPtr PrefixLengthSharding(size_t length);

// A function of the user's own. `name` must start with a letter and is the format on disk; it cannot be one of the names
// above (checked where the function is used). `shard_of` must not be null.
ShardingFuncPtr CustomSharding(std::string name,
                               std::function<uint32_t(const leveldb::Slice& key, uint32_t shard_count)> shard_of);

// Makes `function` known to ShardingFuncByName. AlreadyExists if the name is taken by another function; InvalidArgument for
// null, or for a name that breaks the rules above. Safe from any thread.
[[nodiscard]] absl::Status RegisterShardingFunc(ShardingFuncPtr function);

// Finds a function by its name: the built-in ones, with their parameters ("prefix" alone is not a name), and registered ones.
// NotFound lists the names there are; InvalidArgument for parameters that make no sense.
[[nodiscard]] absl::StatusOr<ShardingFuncPtr> ShardingFuncByName(absl::string_view name);

// InvalidArgument unless `name` keeps the rules of ShardingFunc::name.
[[nodiscard]] absl::Status CheckShardingFuncName(absl::string_view name);

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARDING_FUNC_H_
