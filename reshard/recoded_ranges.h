// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_RECODED_RANGES_H_
#define SHARDINGDB_RESHARD_RECODED_RANGES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "leveldb/write_batch.h"
#include "reshard/marker.h"

namespace shardingdb {

// Which values of a folder an unfinished change of their form has rewritten.
//
// Each batch of rewritten values carries a record with the first and the last
// of its keys, so the values and the record are there together or not at all,
// whatever a kill or a power failure takes: no order in which batches become
// durable is assumed. The bytes are described in
// docs/formats/reshard-marker.md.
//
// Not safe for use from several threads.
class RecodedRanges {
 public:
  // None.
  RecodedRanges() = default;

  // Those of `db`, which has values as they are stored. FailedPrecondition for
  // records of another change, and for other reserved keys; DataLoss for a
  // damaged record; errors of reading. None names the folder.
  [[nodiscard]] static absl::StatusOr<RecodedRanges> Read(
      leveldb::DB* db, const ValueForms& values);

  bool empty() const { return ranges_.empty(); }

  // True if the value of `key` was rewritten. REQUIRES: keys are asked for in
  // ascending order, since the last Rewind.
  bool Covers(const leveldb::Slice& key);
  void Rewind() { next_ = 0; }

 private:
  struct Range {
    std::string first;
    std::string last;
  };

  std::vector<Range> ranges_;  // ascending, apart from each other
  size_t next_ = 0;  // the first that ends at or behind what was asked
};

// Adds the record of one range to the batch that rewrites its values.
void PutRecodedRange(const leveldb::Slice& first, const leveldb::Slice& last,
                     const ValueForms& values, leveldb::WriteBatch* batch);

// Deletes all reserved keys of `db` but for the label of a shard, durably.
[[nodiscard]] absl::Status RemoveRecodedRanges(leveldb::DB* db);

// FailedPrecondition if `key` is reserved: its folder has values in two forms,
// and only the command that has begun to change them may go on.
[[nodiscard]] absl::Status CheckNotRecoding(const leveldb::Slice& key);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_RECODED_RANGES_H_
