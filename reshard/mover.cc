// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/mover.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "reshard/batch_writer.h"
#include "reshard/bulk_read.h"
#include "reshard/durable.h"
#include "reshard/for_each_folder.h"
#include "reshard/recoded_ranges.h"
#include "reshard/scan_meter.h"
#include "reshard/storage_error.h"
#include "reshard/union_scan.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/durable_folder.h"
#include "shardingdb/rate_limiter.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// Batches of all outputs together, each output having one that is filled and
// one that is written.
constexpr size_t kBatchMemory = size_t{32} << 20;

size_t CopyBatchBytes(const RunContext& run) {
  return std::min(run.batch_bytes,
                  kBatchMemory / (2 * run.plan->outputs.size()));
}

UnionScanOptions ScanOptions(const RunContext& run, bool hash) {
  UnionScanOptions options;
  options.env = run.env;
  options.hash = hash;
  options.stop = run.stop;
  options.progress = run.progress;
  return options;
}

// The writers of a copy, one for each output that gets something.
class Writers {
 public:
  explicit Writers(const RunContext& run) : run_(run) {}

  absl::Status Put(size_t member, const UnionEntry& entry) {
    std::unique_ptr<BatchWriter>& writer = writers_[member];
    if (writer == nullptr) {
      BatchWriter::Options options;
      options.batch_bytes = CopyBatchBytes(run_);
      options.on_batch = [this] { run_.Passed("batch copied"); };
      if (run_.limiter != nullptr) {
        options.before_batch = [this](size_t bytes) {
          run_.limiter->Take(bytes);
        };
      }
      writer = std::make_unique<BatchWriter>(run_.set->db(member),
                                             std::move(options));
    }
    return StorageError(run_.env, run_.path(member),
                        writer->Put(entry.key, entry.value));
  }

  absl::Status Finish() {
    absl::Status first;
    for (auto& [member, writer] : writers_) {
      const absl::Status status =
          StorageError(run_.env, run_.path(member), writer->Finish());
      if (first.ok()) first = status;
    }
    return first;
  }

 private:
  const RunContext& run_;
  std::map<size_t, std::unique_ptr<BatchWriter>> writers_;
};

// In a migration the inputs are the set. What an unfinished run has left in the
// outputs can only be a part of it.
absl::Status CheckComesFromInput(const RunContext& run, const UnionEntry& entry,
                                 const std::vector<size_t>& holders) {
  if (run.plan->in_place || run.plan->members[holders.front()].is_input) {
    return absl::OkStatus();
  }
  return absl::AbortedError(absl::StrCat(
      run.path(holders.front()), ": holds the key ", DescribeKey(entry.key),
      ", which no input does: the inputs have changed since an earlier run was "
      "interrupted. Empty the output folders and run again"));
}

// Counts what the open folders hold and calls `copy` with the owner of each
// entry that the owner lacks.
absl::StatusOr<Tally> Count(
    const RunContext& run, bool hash,
    absl::FunctionRef<absl::Status(size_t owner, const UnionEntry&)> copy) {
  Tally tally;
  tally.strays.resize(run.plan->members.size());
  const std::vector<size_t> numbers = run.set->numbers();
  std::vector<size_t> holders;
  const absl::Status status = ScanUnion(
      run.set->sources(), ScanOptions(run, hash),
      [&](const UnionEntry& entry) -> absl::Status {
        const absl::StatusOr<size_t> owner = run.plan->OwnerOf(entry.key);
        if (!owner.ok()) return owner.status();
        holders.clear();
        for (size_t source : entry.holders) holders.push_back(numbers[source]);
        absl::Status checked =
            Annotate(CheckNotRecoding(entry.key), run.path(holders.front()));
        if (checked.ok()) checked = CheckComesFromInput(run, entry, holders);
        if (!checked.ok()) return checked;

        tally.contents.Add(entry.hash);
        bool missing = true;
        int inputs = 0;
        for (size_t holder : holders) {
          inputs += run.plan->members[holder].is_input;
          missing = missing && holder != *owner;
          tally.strays[holder] +=
              run.plan->members[holder].written && holder != *owner;
        }
        tally.repeated += inputs > 1;
        if (!missing) return absl::OkStatus();
        ++tally.missing;
        tally.missing_bytes += entry.key.size() + entry.value.size();
        return copy(*owner, entry);
      });
  if (!status.ok()) return status;
  return tally;
}

// Deletes the strays of one member.
absl::Status DeleteStraysOf(const RunContext& run, size_t member) {
  leveldb::DB* const db = run.set->db(member);
  std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(BulkReadOptions()));
  ScanMeter meter(db, run.progress);
  leveldb::WriteBatch batch;
  const auto write = [&]() -> absl::Status {
    if (run.stopped()) return absl::CancelledError("stopped");
    const leveldb::Status status = db->Write(leveldb::WriteOptions(), &batch);
    batch.Clear();
    if (status.ok()) run.Passed("batch deleted");
    return StorageError(run.env, run.path(member), status);
  };
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    // The label of a folder that is emptied goes with its entries, so that the
    // compaction leaves nothing of it.
    if (iterator->key() == ShardLabelKey()) {
      if (!run.plan->members[member].shard.has_value()) {
        batch.Delete(iterator->key());
      }
      continue;
    }
    meter.Count(iterator->key(), iterator->value());
    const absl::StatusOr<size_t> owner = run.plan->OwnerOf(iterator->key());
    if (!owner.ok()) return owner.status();
    if (*owner == member) continue;
    batch.Delete(iterator->key());
    if (batch.ApproximateSize() < run.batch_bytes) continue;
    const absl::Status status = write();
    if (!status.ok()) return status;
  }
  if (!iterator->status().ok()) {
    return StorageError(run.env, run.path(member), iterator->status());
  }
  const absl::Status status = write();
  if (!status.ok()) return status;
  // An iterator keeps what it sees from being compacted away.
  iterator.reset();
  db->CompactRange(nullptr, nullptr);
  run.Passed("folder compacted");
  meter.Finish();
  return StorageError(run.env, run.path(member), SyncToDisk(db));
}

}  // namespace

absl::StatusOr<Tally> Survey(const RunContext& run) {
  return Count(run, /*hash=*/true,
               [](size_t, const UnionEntry&) { return absl::OkStatus(); });
}

absl::StatusOr<Tally> CopyToOwners(const RunContext& run) {
  Writers writers(run);
  // In place the survey has hashed everything already.
  absl::StatusOr<Tally> tally =
      Count(run, /*hash=*/!run.plan->in_place,
            [&](size_t owner, const UnionEntry& entry) {
              return writers.Put(owner, entry);
            });
  if (!tally.ok()) return tally.status();
  const absl::Status status = writers.Finish();
  if (!status.ok()) return status;
  return tally;
}

absl::Status SyncOutputs(const RunContext& run) {
  return ForEachFolder(run.plan->outputs, [&](size_t member) {
    absl::Status status = StorageError(run.env, run.path(member),
                                       SyncToDisk(run.set->db(member)));
    if (status.ok()) status = SyncFolder(run.path(member));
    if (status.ok()) run.Passed("output synced");
    return status;
  });
}

absl::Status DeleteStrays(const RunContext& run,
                          const std::vector<uint64_t>& strays) {
  std::vector<size_t> members;
  for (size_t i = 0; i < strays.size(); ++i) {
    // A run that was killed may have deleted and not compacted.
    const bool may_be_full_of_deletions =
        run.plan->in_place && run.plan->resumes() &&
        !run.plan->members[i].shard.has_value();
    if (strays[i] > 0 || may_be_full_of_deletions) members.push_back(i);
  }
  return ForEachFolder(
      members, [&](size_t member) { return DeleteStraysOf(run, member); });
}

}  // namespace shardingdb
