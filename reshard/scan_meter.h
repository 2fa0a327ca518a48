// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_SCAN_METER_H_
#define SHARDINGDB_RESHARD_SCAN_METER_H_

#include <cstdint>

#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "reshard/progress.h"

namespace shardingdb {

// Bytes that the tables of `db` take on disk, about.
uint64_t ApproximateSize(leveldb::DB* db);

// Tells a Progress how far the scan of one database is, in bytes of its tables.
// Not safe for use from several threads.
class ScanMeter {
 public:
  // `db` and `progress` must outlive this object. `progress` may be null.
  ScanMeter(leveldb::DB* db, Progress* progress)
      : db_(db), progress_(progress) {}

  // One more entry was read.
  void Count(const leveldb::Slice& key, const leveldb::Slice& value) {
    ++entries_;
    bytes_ += key.size() + value.size();
    if (bytes_ >= kReportBytes) ReportUpTo(key);
  }

  // The scan is through.
  void Finish();

 private:
  // Asking for a position costs LevelDB a search in its tables.
  static constexpr uint64_t kReportBytes = uint64_t{512} << 10;

  void ReportUpTo(const leveldb::Slice& key);
  void Report(uint64_t position);

  leveldb::DB* const db_;
  Progress* const progress_;
  uint64_t position_ = 0;
  uint64_t entries_ = 0;  // since the last report
  uint64_t bytes_ = 0;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_SCAN_METER_H_
