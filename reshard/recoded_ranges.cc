// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/recoded_ranges.h"

#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "reshard/bulk_read.h"
#include "reshard/durable.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/slice_view.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

constexpr absl::string_view kVersion = "1";

std::string RangeKeyPrefix() {
  return absl::StrCat(kReservedKeyPrefix, "recoded:");
}

leveldb::Slice ToSlice(absl::string_view text) {
  return {text.data(), text.size()};
}

std::string RangeValue(const leveldb::Slice& last, const ValueForms& values) {
  return absl::StrCat(kVersion, "\n", values.in, "\n", values.out, "\n",
                      View(last));
}

absl::Status OtherRecord(absl::string_view what) {
  return absl::FailedPreconditionError(absl::StrCat(
      "holds records of an unfinished change of how values are stored, ", what,
      ": run that command again"));
}

// The last key of a range, from the value of its record.
absl::StatusOr<std::string> LastKey(const leveldb::Slice& record,
                                    const ValueForms& values) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(View(record), absl::MaxSplits('\n', 3));
  if (fields.size() != 4) {
    return absl::DataLossError("a record of rewritten values is damaged");
  }
  if (fields[0] != kVersion) return OtherRecord("by a newer version");
  if (fields[1] != values.in || fields[2] != values.out) {
    return OtherRecord(absl::StrCat("from ", fields[1], " to ", fields[2]));
  }
  return std::string(fields[3]);
}

}  // namespace

absl::StatusOr<RecodedRanges> RecodedRanges::Read(leveldb::DB* db,
                                                  const ValueForms& values) {
  const std::string prefix = RangeKeyPrefix();
  RecodedRanges ranges;
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(BulkReadOptions()));
  for (iterator->Seek(ToSlice(kReservedKeyPrefix));
       iterator->Valid() && IsReservedKey(iterator->key()); iterator->Next()) {
    if (iterator->key() == ShardLabelKey()) continue;
    absl::string_view key = View(iterator->key());
    if (!absl::StartsWith(key, prefix)) {
      return absl::FailedPreconditionError(
          absl::StrCat("holds the key ", DescribeKey(iterator->key()),
                       ", which begins as reserved keys do"));
    }
    key.remove_prefix(prefix.size());
    absl::StatusOr<std::string> last = LastKey(iterator->value(), values);
    if (!last.ok()) return last.status();
    if (key > *last) {
      return absl::DataLossError("a record of rewritten values is damaged");
    }
    ranges.ranges_.push_back({std::string(key), *std::move(last)});
  }
  if (!iterator->status().ok()) return ToAbslStatus(iterator->status());
  return ranges;
}

bool RecodedRanges::Covers(const leveldb::Slice& key) {
  const absl::string_view text = View(key);
  while (next_ < ranges_.size() && ranges_[next_].last < text) ++next_;
  return next_ < ranges_.size() && ranges_[next_].first <= text;
}

void PutRecodedRange(const leveldb::Slice& first, const leveldb::Slice& last,
                     const ValueForms& values, leveldb::WriteBatch* batch) {
  batch->Put(absl::StrCat(RangeKeyPrefix(), View(first)),
             RangeValue(last, values));
}

absl::Status RemoveRecodedRanges(leveldb::DB* db) {
  leveldb::WriteBatch batch;
  {
    const std::unique_ptr<leveldb::Iterator> iterator(
        db->NewIterator(BulkReadOptions()));
    for (iterator->Seek(ToSlice(kReservedKeyPrefix));
         iterator->Valid() && IsReservedKey(iterator->key());
         iterator->Next()) {
      if (iterator->key() != ShardLabelKey()) batch.Delete(iterator->key());
    }
    if (!iterator->status().ok()) return ToAbslStatus(iterator->status());
  }
  const leveldb::Status status = db->Write(leveldb::WriteOptions(), &batch);
  return ToAbslStatus(status.ok() ? SyncToDisk(db) : status);
}

absl::Status CheckNotRecoding(const leveldb::Slice& key) {
  if (!IsReservedKey(key)) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "holds the reserved key ", DescribeKey(key),
      ": a change of how values are stored is unfinished there; run that "
      "command again"));
}

}  // namespace shardingdb
