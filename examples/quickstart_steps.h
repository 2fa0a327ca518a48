// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_EXAMPLES_QUICKSTART_STEPS_H_
#define SHARDINGDB_EXAMPLES_QUICKSTART_STEPS_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "leveldb/db.h"
#include "leveldb/status.h"
#include "reshard/progress.h"

namespace shardingdb {

// What the quickstart does with a database. All it knows of it is leveldb::DB,
// so the same code runs on a ShardingDb and on a plain LevelDB.
//
// The entries are numbered; key and value of each follow from its number. The
// error of a step that finds something wrong is Corruption and names the key.
class QuickstartSteps {
 public:
  // Does everything with `entries` entries from `threads` threads, tells
  // `progress`, and ends with IOError soon after `stop` has become true. Both
  // must outlive this object.
  QuickstartSteps(uint64_t entries, int threads, Progress* progress,
                  const std::atomic<bool>* stop)
      : entries_(entries),
        threads_(threads),
        progress_(progress),
        stop_(stop) {}

  // Writes every entry, in batches.
  leveldb::Status Write(leveldb::DB* db) const;

  // Gets every entry and checks its value. `overwritten` says whether the
  // snapshot step has come before.
  leveldb::Status Read(leveldb::DB* db, bool overwritten) const;

  // Goes over all entries in order with one iterator, and checks each.
  leveldb::Status Scan(leveldb::DB* db, bool overwritten) const;

  // Takes a snapshot and overwrites every tenth entry; then the snapshot must
  // still show the old values, and the database the new ones.
  leveldb::Status Snapshot(leveldb::DB* db) const;

 private:
  // Cuts the entries into batches of numbers [begin, end) and calls `work` with
  // each, from all threads. Returns the first error, after which no more
  // batches are begun.
  leveldb::Status ForEachBatch(
      const char* phase,
      absl::FunctionRef<leveldb::Status(uint64_t begin, uint64_t end)> work)
      const;

  const uint64_t entries_;
  const int threads_;
  Progress* const progress_;
  const std::atomic<bool>* const stop_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_EXAMPLES_QUICKSTART_STEPS_H_
