// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_MULTISET_DIGEST_H_
#define SHARDINGDB_RESHARD_MULTISET_DIGEST_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/sha256.h"
#include "leveldb/slice.h"

namespace shardingdb {

// SHA-256 of one entry: key length (32 bits, little endian), key, value length
// (the same), value.
using EntryHash = Sha256::Digest;

// `sha` is working memory: a Sha256 with nothing in it, before and after.
EntryHash HashEntry(const leveldb::Slice& key, const leveldb::Slice& value,
                    Sha256* sha);

// The number of entries of a set and a digest that does not depend on their
// order: the sum of their hashes modulo 2^256.
//
// Two sets with the same digest hold the same entries the same number of times,
// as far as accidents go. It is no defence against somebody who constructs
// entries to collide; docs/resharding.md says why that is enough here.
//
// A value type; not safe for use from several threads. Digests of parts are
// made in parallel and added.
class MultisetDigest {
 public:
  MultisetDigest() = default;

  void Add(const EntryHash& hash);
  void Add(const MultisetDigest& other);

  uint64_t entries() const { return entries_; }

  // 64 lower-case hex digits, most significant first.
  std::string ToHex() const;

  // The reverse of entries() and ToHex(). InvalidArgument if `hex` is not 64
  // hex digits.
  [[nodiscard]] static absl::StatusOr<MultisetDigest> Parse(
      uint64_t entries, absl::string_view hex);

  friend bool operator==(const MultisetDigest& a, const MultisetDigest& b) {
    return a.entries_ == b.entries_ && a.limbs_ == b.limbs_;
  }
  friend bool operator!=(const MultisetDigest& a, const MultisetDigest& b) {
    return !(a == b);
  }

 private:
  void AddLimbs(const std::array<uint64_t, 4>& limbs);

  uint64_t entries_ = 0;
  std::array<uint64_t, 4> limbs_ = {};  // least significant first
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_MULTISET_DIGEST_H_
