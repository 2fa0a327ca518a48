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
// Its name is part of the format on disk: a function that sends any key
// elsewhere than before needs a new name.
//
// Implementations are pure (the same answer for the same arguments, for ever),
// throw nothing, and are safe to call from any thread. Keys that a custom
// comparator calls equal must get the same shard.
class ShardingFunc {
 public:
  virtual ~ShardingFunc() = default;

  // See CheckShardingFuncName. Parameters are part of it, such as in
  // "prefix:delimiter=2f".
  virtual const std::string& name() const = 0;

  // Returns a number below `shard_count`, which is 1 to kMaxShards. The caller
  // checks: an answer out of range is reported as an error of the function.
  virtual uint32_t ShardOf(const leveldb::Slice& key,
                           uint32_t shard_count) const = 0;

  // Returns the one shard that holds every key of [range.start, range.limit) in
  // bytewise order, or nothing where that is not known. An empty limit means no
  // upper bound. By default it is known of one shard and of a range of one key.
  virtual std::optional<uint32_t> ShardOfRange(const leveldb::Range& range,
                                               uint32_t shard_count) const;

  // False for functions that exist to read old data only. By default true.
  virtual bool allowed_for_new_sets() const;
};

using ShardingFuncPtr = std::shared_ptr<const ShardingFunc>;

// "jump", the default for new sets: the first 64 bits of MurmurHash3_x64_128
// (seed 0) of the key, then jump consistent hash (Lamping and Veach,
// arXiv:1406.2294). Going from N to N + 1 shards moves 1/(N+1) of the keys, all
// of them to the new shard.
ShardingFuncPtr JumpSharding();

// "murmur", "sha256", "xor": what the Go library shardingdb calls
// MurmurSharding, Sha256Sharding and XorSharding16, bit for bit.
//
// "xor" is for reading old data only: it spreads badly, and it takes only the
// low 8 bits of the number of shards. Where these are zero (256 shards, ...) Go
// has no answer, and the answer here is out of range.
ShardingFuncPtr MurmurSharding();
ShardingFuncPtr Sha256Sharding();
ShardingFuncPtr XorSharding();

// "prefix:delimiter=XX" (two hexadecimal digits) and "prefix:length=N": jump of
// the key's prefix only, so that a scan of one prefix touches one shard. The
// prefix is the key up to and including its first `delimiter`, or its first
// `length` bytes (1 to 65,535; CheckShardingFunc refuses others); the whole key
// where there is no delimiter or there are fewer bytes.
ShardingFuncPtr PrefixSharding(char delimiter);
ShardingFuncPtr PrefixLengthSharding(size_t length);

// A function of the user's own. `name` must start with a letter and is the
// format on disk; it must not be one of the names above. CheckShardingFunc,
// which every use goes through, refuses a bad name and an empty `shard_of`.
ShardingFuncPtr CustomSharding(
    std::string name,
    std::function<uint32_t(const leveldb::Slice& key, uint32_t shard_count)>
        shard_of);

// InvalidArgument unless `name` is 1 to 64 characters of printable ASCII
// without spaces and commas, the first one a letter.
[[nodiscard]] absl::Status CheckShardingFuncName(absl::string_view name);

// InvalidArgument if `function` is null, has a bad name, has the name of a
// built-in function without being that one, or is a CustomSharding without a
// callable or a PrefixLengthSharding without a possible length.
[[nodiscard]] absl::Status CheckShardingFunc(const ShardingFuncPtr& function);

// Makes `function` known to ShardingFuncByName for the rest of the process. OK
// if it already is. Safe from any thread. Errors:
//   InvalidArgument  see CheckShardingFunc
//   AlreadyExists    the name is taken by another function
[[nodiscard]] absl::Status RegisterShardingFunc(ShardingFuncPtr function);

// Finds a built-in function by its name and parameters, or a registered one.
// Safe from any thread. Errors:
//   NotFound         there is none; lists the names there are
//   InvalidArgument  parameters that make no sense
[[nodiscard]] absl::StatusOr<ShardingFuncPtr> ShardingFuncByName(
    absl::string_view name);

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARDING_FUNC_H_
