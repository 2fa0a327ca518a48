// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_SET_DIGEST_H_
#define SHARDINGDB_RESHARD_SET_DIGEST_H_

#include <cstdint>
#include <string>

#include "crypto/sha256.h"
#include "leveldb/slice.h"

namespace shardingdb {

// Feeds one entry to `sha`: key length (32 bits, little endian), key, value
// length (the same), value.
void UpdateWithEntry(const leveldb::Slice& key, const leveldb::Slice& value,
                     Sha256* sha);

// SHA-256 over the entries of a set in ascending bytewise order of their keys,
// each as UpdateWithEntry has it. Any program that can list a set can compute
// it, and it does not depend on the number of shards.
//
// Not safe for use from several threads.
class SetDigest {
 public:
  // REQUIRES: `key` is greater than that of the call before.
  void Add(const leveldb::Slice& key, const leveldb::Slice& value);

  uint64_t entries() const { return entries_; }

  // 64 lower-case hex digits. Once only, at the end.
  std::string FinishHex();

 private:
  uint64_t entries_ = 0;
  Sha256 sha_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_SET_DIGEST_H_
