// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_VALUE_SEALER_H_
#define SHARDINGDB_VALUE_SEALER_H_

#include <functional>
#include <memory>
#include <string>

#include "crypto/aead.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {

// How a value is stored: sealed by an Aead, with its key as associated data.
//
// Immutable, so safe from any thread.
class ValueSealer {
 public:
  // Says where a key lives ("shard 2"), for messages.
  using Locate = std::function<std::string(const leveldb::Slice& key)>;

  // REQUIRES: aead is not null. `locate` may be.
  ValueSealer(std::shared_ptr<const Aead> aead, Locate locate);

  const Aead& aead() const { return *aead_; }

  // Replaces *sealed with what is to be stored. InvalidArgument for a value
  // that is too long, IOError if there is no randomness.
  [[nodiscard]] leveldb::Status Seal(const leveldb::Slice& key,
                                     const leveldb::Slice& value,
                                     std::string* sealed) const;

  // Replaces *value with what `sealed`, the stored value of `key`, holds.
  // Corruption if it does not open, NotSupported if its key is disabled, with
  // the shard, the key and the reason; *value is empty then.
  [[nodiscard]] leveldb::Status Open(const leveldb::Slice& key,
                                     const leveldb::Slice& sealed,
                                     std::string* value) const;

 private:
  std::string ValueOf(const leveldb::Slice& key) const;

  const std::shared_ptr<const Aead> aead_;
  const Locate locate_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_VALUE_SEALER_H_
