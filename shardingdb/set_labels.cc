// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/set_labels.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/random.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "shardingdb/batch_splitter.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/reserved_keys.h"
#include "shardingdb/status.h"
#include "shardingdb/thread_pool.h"

namespace shardingdb {
namespace {

// Writing waits for the disk.
constexpr size_t kMaxWriteThreads = 16;

constexpr size_t kSetIdBytes = 16;

leveldb::ReadOptions LookOptions() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  return options;
}

// What is under the key of the label is none: damaged, or an entry whose key
// the comparator takes for it.
absl::Status NoLabel(DbHandle* db, const absl::Status& parsed) {
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(LookOptions()));
  iterator->Seek(ShardLabelKey());
  if (!iterator->Valid() || iterator->key() == ShardLabelKey()) return parsed;
  return absl::FailedPreconditionError(absl::StrCat(
      "there is an entry in its place, as the comparator takes its "
      "key for ",
      DescribeKey(iterator->key())));
}

absl::Status ReadLabel(DbHandle* db, FoundShard* found) {
  std::string bytes;
  const leveldb::Status status =
      db->Get(LookOptions(), ShardLabelKey(), &bytes);
  if (status.IsNotFound()) return absl::OkStatus();
  if (!status.ok()) return ToAbslStatus(status);
  absl::StatusOr<ShardLabel> label = ParseShardLabel(bytes);
  if (label.ok()) {
    found->label = *std::move(label);
  } else {
    found->label_error = NoLabel(db, label.status());
  }
  return absl::OkStatus();
}

// Whether nothing was ever put into a database, or deleted from it; false where
// it does not tell.
bool IsUnwritten(leveldb::DB* db) {
  std::string last_sequence;
  return db->GetProperty("leveldb.last-sequence", &last_sequence) &&
         last_sequence == "0";
}

absl::Status CheckPlaces(leveldb::Iterator* iterator, uint32_t place,
                         uint32_t count, const ShardingFunc& function) {
  for (; iterator->Valid() && iterator->status().ok();
       iterator->Next(), SkipReservedForward(iterator)) {
    uint32_t owner;
    const leveldb::Status located =
        Locate(function, iterator->key(), count, &owner);
    if (!located.ok()) return ToAbslStatus(located);
    if (owner == place) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("holds the key ", DescribeKey(iterator->key()),
                     ", which belongs into shard ", owner, " of ", count,
                     ", not ", place, ", by the sharding function \"",
                     function.name(), "\" (reshard puts that right)"));
  }
  return ToAbslStatus(iterator->status());
}

// Calls `write` with the number of each shard, several at a time; the error of
// the lowest one that failed.
template <typename Write>
absl::Status ForEachShard(size_t count, const Write& write) {
  std::vector<absl::Status> statuses(count);
  ParallelFor(count, kMaxWriteThreads,
              [&](size_t i) { statuses[i] = write(i); });
  for (size_t i = 0; i < count; ++i) {
    if (statuses[i].ok()) continue;
    return Annotate(statuses[i], absl::StrCat("shard ", i));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LookAtShard(DbHandle* db, uint32_t place, uint32_t count,
                         const SetLayoutWanted& wanted, FoundShard* found) {
  const absl::Status status = ReadLabel(db, found);
  if (!status.ok()) return status;
  found->contents = FoundShard::Contents::kEntries;
  const bool is_shard = !found->label_error.ok() ||
                        (found->label.has_value() && found->label->stable);
  if (is_shard) {
    if (found->label.has_value() && wanted.aead != nullptr &&
        found->label->values == ValuesForm::kUnknown) {
      found->not_adoptable = CheckValuesOpen(db, *wanted.aead);
    }
    return absl::OkStatus();
  }
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(LookOptions()));
  iterator->SeekToFirst();
  SkipReservedForward(iterator.get());
  // What cannot be read is no empty database, and for the reads that meet it.
  if (!iterator->Valid() && iterator->status().ok()) {
    found->contents = IsUnwritten(db) ? FoundShard::Contents::kUnwritten
                                      : FoundShard::Contents::kEmpty;
    return absl::OkStatus();
  }
  if (wanted.read_only || (count > 1 && !wanted.adoption)) {
    return absl::OkStatus();
  }
  if (wanted.aead != nullptr) {
    found->not_adoptable = CheckValuesOpen(db, *wanted.aead);
  }
  if (count > 1 && found->not_adoptable.ok()) {
    found->not_adoptable =
        CheckPlaces(iterator.get(), place, count, *wanted.function);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> NewSetId() {
  char bytes[kSetIdBytes];
  const absl::Status status =
      crypto_internal::RandomBytes(bytes, sizeof(bytes));
  if (!status.ok()) return status;
  return absl::BytesToHexString(absl::string_view(bytes, sizeof(bytes)));
}

absl::StatusOr<std::string> SealKeyCheck(const Aead& aead) {
  std::string sealed;
  const absl::Status status = aead.Seal("", KeyCheckKey(), &sealed);
  if (!status.ok()) return status;
  return sealed;
}

absl::StatusOr<std::vector<ShardLabel>> MakeLabels(
    const SetLayout& layout, const SetLayoutWanted& wanted) {
  ShardLabel label;
  label.set_id = layout.set_id;
  label.epoch = layout.epoch;
  label.shard_count = static_cast<uint32_t>(layout.place_of_shard.size());
  label.function = wanted.function->name();
  label.comparator = wanted.comparator;
  // Nothing tells plain values from sealed ones that somebody takes for plain.
  label.values = layout.adopts && wanted.values == ValuesForm::kPlain
                     ? ValuesForm::kUnknown
                     : wanted.values;
  label.opaque_keys = wanted.opaque_keys;
  if (label.set_id.empty()) {
    absl::StatusOr<std::string> id = NewSetId();
    if (!id.ok()) return id.status();
    label.set_id = *std::move(id);
  }
  if (wanted.values == ValuesForm::kSealed && wanted.aead != nullptr) {
    absl::StatusOr<std::string> check = SealKeyCheck(*wanted.aead);
    if (!check.ok()) return check.status();
    label.key_check = *std::move(check);
  }
  std::vector<ShardLabel> labels(label.shard_count, label);
  for (uint32_t i = 0; i < label.shard_count; ++i) labels[i].shard = i;
  return labels;
}

absl::Status WriteLabel(leveldb::DB* db, const ShardLabel& label) {
  leveldb::WriteOptions sync;
  sync.sync = true;
  return ToAbslStatus(db->Put(sync, ShardLabelKey(), EncodeShardLabel(label)));
}

absl::Status WriteLabels(const std::vector<DbHandle*>& shards,
                         const std::vector<ShardLabel>& labels,
                         bool first_time) {
  absl::Status status;
  if (first_time && shards.size() > 1) {
    status = ForEachShard(shards.size(), [&](size_t i) {
      ShardLabel label = labels[i];
      label.stable = false;
      return WriteLabel(shards[i], label);
    });
  }
  if (!status.ok()) return status;
  return ForEachShard(shards.size(), [&](size_t i) {
    return WriteLabel(shards[i], labels[i]);
  });
}

absl::Status LabelSet(const std::vector<DbHandle*>& shards,
                      const SetLayout& layout, const SetLayoutWanted& wanted) {
  if (layout.labels == SetLayout::Labels::kStay) return absl::OkStatus();
  const absl::StatusOr<std::vector<ShardLabel>> labels =
      MakeLabels(layout, wanted);
  if (!labels.ok()) return labels.status();
  return WriteLabels(shards, *labels,
                     layout.labels != SetLayout::Labels::kComplete);
}

DbStats Difference(DbStats after, const DbStats& before) {
  after.gets -= before.gets;
  after.gets_found -= before.gets_found;
  after.bytes_read -= before.bytes_read;
  after.puts -= before.puts;
  after.bytes_written -= before.bytes_written;
  return after;
}

DbStats CountsOf(const std::vector<DbHandle*>& shards) {
  DbStats sum;
  for (DbHandle* shard : shards) {
    const DbStats stats = shard->GetStats();
    sum.gets += stats.gets;
    sum.gets_found += stats.gets_found;
    sum.bytes_read += stats.bytes_read;
    sum.puts += stats.puts;
    sum.bytes_written += stats.bytes_written;
  }
  return sum;
}

}  // namespace shardingdb
