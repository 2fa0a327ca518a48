// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The functions without parameters. Where they send a key is part of the format
// on disk.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "crypto/sha256.h"
#include "leveldb/slice.h"
#include "shardingdb/jump_hash.h"
#include "shardingdb/murmur3.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

// A ShardingFunc that is `kShardOf`, a plain function.
template <uint32_t (*kShardOf)(const leveldb::Slice& key, uint32_t shard_count),
          bool kAllowedForNewSets>
class BuiltinSharding final : public ShardingFunc {
 public:
  explicit BuiltinSharding(const char* name) : name_(name) {}

  const std::string& name() const override { return name_; }
  uint32_t ShardOf(const leveldb::Slice& key,
                   uint32_t shard_count) const override {
    return kShardOf(key, shard_count);
  }
  bool allowed_for_new_sets() const override { return kAllowedForNewSets; }

 private:
  const std::string name_;
};

uint32_t JumpShardOf(const leveldb::Slice& key, uint32_t shard_count) {
  return JumpHash(Murmur3Hash128(key, /*seed=*/0).first, shard_count);
}

uint32_t MurmurShardOf(const leveldb::Slice& key, uint32_t shard_count) {
  return Murmur3Hash32(key, /*seed=*/1) % shard_count;
}

// The first two bytes of the hash, the first one high.
uint32_t Sha256ShardOf(const leveldb::Slice& key, uint32_t shard_count) {
  const Sha256::Digest hash =
      Sha256::Of(absl::string_view(key.data(), key.size()));
  return (uint32_t{hash[0]} << 8 | hash[1]) % shard_count;
}

// All bytes of the key XORed. The number of shards is a byte in Go.
uint32_t XorShardOf(const leveldb::Slice& key, uint32_t shard_count) {
  const uint32_t modulus = shard_count & 0xff;
  if (modulus == 0) return shard_count;
  uint8_t sum = 0;
  for (size_t i = 0; i < key.size(); ++i) sum ^= static_cast<uint8_t>(key[i]);
  return sum % modulus;
}

}  // namespace

ShardingFuncPtr JumpSharding() {
  static const ShardingFuncPtr* const function = new ShardingFuncPtr(
      std::make_shared<BuiltinSharding<JumpShardOf, true>>("jump"));
  return *function;
}

ShardingFuncPtr MurmurSharding() {
  static const ShardingFuncPtr* const function = new ShardingFuncPtr(
      std::make_shared<BuiltinSharding<MurmurShardOf, true>>("murmur"));
  return *function;
}

ShardingFuncPtr Sha256Sharding() {
  static const ShardingFuncPtr* const function = new ShardingFuncPtr(
      std::make_shared<BuiltinSharding<Sha256ShardOf, true>>("sha256"));
  return *function;
}

ShardingFuncPtr XorSharding() {
  static const ShardingFuncPtr* const function = new ShardingFuncPtr(
      std::make_shared<BuiltinSharding<XorShardOf, false>>("xor"));
  return *function;
}

}  // namespace shardingdb
