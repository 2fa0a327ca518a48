// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/records.h"

#include <cstring>

#include "leveldb/options.h"
#include "leveldb/write_batch.h"

namespace shardingdb {
namespace {

// FNV-1a, 64 bits, of the number's bytes (Fowler, Noll and Vo).
uint64_t Fnv(uint64_t number) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < 8; ++i, number >>= 8)
    hash = (hash ^ (number & 0xff)) * 0x100000001b3;
  return hash;
}

}  // namespace

RecordKey::RecordKey(KeyKind kind, uint64_t number) {
  const bool hashed = kind == KeyKind::kHashed;
  size_ = hashed ? 24 : 16;
  std::memcpy(bytes_, "user", 4);
  if (hashed) number = Fnv(number);
  for (size_t i = size_; i > (hashed ? 4 : 0); --i, number /= 10)
    bytes_[i - 1] = static_cast<char>('0' + number % 10);
  bytes_[size_] = '-';
}

leveldb::Status Records::Load(leveldb::DB* db, int t) const {
  // A prime number that is greater than any count, and so prime to it.
  constexpr uint64_t kStride = 982451653;
  ValueMaker values(options_.values, options_.value_bytes);
  leveldb::WriteBatch batch;
  leveldb::Status status;
  int in_batch = 0;
  const uint64_t end = Begin(count(), t + 1);
  for (uint64_t i = Begin(count(), t); i < end && status.ok(); ++i) {
    const uint64_t number = i * kStride % count();
    batch.Put(Key(number).slice(), values.Of(number, number));
    if (++in_batch < options_.batch && i + 1 < end) continue;
    status = db->Write(leveldb::WriteOptions(), &batch);
    batch.Clear();
    in_batch = 0;
  }
  return status;
}

leveldb::Status Records::Check(uint64_t number, const leveldb::Slice& value,
                               ValueMaker* values) const {
  if (value == values->Of(number, number)) return leveldb::Status::OK();
  return leveldb::Status::Corruption(Key(number).slice(), "is wrong");
}

}  // namespace shardingdb
