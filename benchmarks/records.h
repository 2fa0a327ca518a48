// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_RECORDS_H_
#define SHARDINGDB_BENCHMARKS_RECORDS_H_

#include <cstddef>
#include <cstdint>

#include "benchmarks/workload_options.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {

enum class KeyKind {
  kNumber,  // db_bench's: 16 digits, in the order of the records
  kHashed,  // YCSB's: "user" and the 20 digits of the number's FNV-1a hash
};

// The key of a record.
class RecordKey {
 public:
  RecordKey(KeyKind kind, uint64_t number);

  leveldb::Slice slice() const { return leveldb::Slice(bytes_, size_); }

  // A key that no record has, right behind this one.
  leveldb::Slice OfNoRecord() const {
    return leveldb::Slice(bytes_, size_ + 1);
  }

 private:
  char bytes_[25];
  size_t size_;
};

// What is in a database before a community's work begins: options.entries()
// records.
class Records {
 public:
  // `options` must outlive it.
  Records(KeyKind kind, const WorkloadOptions& options)
      : kind_(kind), options_(options) {}

  RecordKey Key(uint64_t number) const { return RecordKey(kind_, number); }
  uint64_t count() const { return options_.entries(); }

  // Writes the part of thread `t`, in batches of options.batch and in an order
  // that is not that of the keys.
  leveldb::Status Load(leveldb::DB* db, int t) const;

  // Corruption, which names the key, unless `value` is that of the record.
  leveldb::Status Check(uint64_t number, const leveldb::Slice& value,
                        ValueMaker* values) const;

  // Where thread `t` begins if all share out `operations`.
  uint64_t Begin(uint64_t operations, int t) const {
    return operations * static_cast<uint64_t>(t) /
           static_cast<uint64_t>(options_.threads);
  }

 private:
  const KeyKind kind_;
  const WorkloadOptions& options_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_RECORDS_H_
