// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/recoder.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/sha256.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "reshard/bulk_read.h"
#include "reshard/durable.h"
#include "reshard/for_each_folder.h"
#include "reshard/recoded_ranges.h"
#include "reshard/scan_meter.h"
#include "reshard/stale_values.h"
#include "reshard/storage_error.h"
#include "reshard/value_codec.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/durable_folder.h"
#include "shardingdb/rate_limiter.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/slice_view.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// How often a walk looks whether it is to stop.
constexpr uint64_t kEntriesBetweenLooks = 1024;

struct WalkedEntry {
  leveldb::Slice key;
  leveldb::Slice stored;
  const std::string& value;  // opened
  bool recoded;              // by this command, at any time
};

// True for an entry that is to be written anew.
bool NeedsRewriting(const RunContext& run, const WalkedEntry& entry) {
  if (!entry.recoded && !run.plan->command.values.same()) return true;
  return !run.out_values.IsCurrent(entry.key, entry.stored, entry.value);
}

absl::Status DoesNotOpen(const RunContext& run, size_t member,
                         const leveldb::Slice& key,
                         const absl::Status& status) {
  return absl::Status(
      status.code(),
      absl::StrCat(run.path(member), ": the value of key ", DescribeKey(key),
                   " does not open: ", status.message()));
}

// What opens values; null for those that are in clear.
struct Readers {
  std::shared_ptr<const Aead> of_old;
  std::shared_ptr<const Aead> of_new;
};

Readers ReadersOf(const RunContext& run) {
  return {ReaderOf(run.in_values, run.out_values), run.out_values.aead};
}

// Calls `visit` with each entry of `member` as it is now, reserved ones left
// out. `ranges` says which have their new form already; null means all.
absl::Status Walk(const RunContext& run, size_t member, RecodedRanges* ranges,
                  const Readers& readers,
                  absl::FunctionRef<absl::Status(const WalkedEntry&)> visit) {
  leveldb::DB* const db = run.set->db(member);
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(BulkReadOptions()));
  ScanMeter meter(db, run.progress);
  std::string value;
  uint64_t seen = 0;
  // LevelDB walks on past a table that cannot be read, and shows what that one
  // has overwritten and deleted: no entry counts once there was an error.
  for (iterator->SeekToFirst(); iterator->Valid() && iterator->status().ok();) {
    if (seen++ % kEntriesBetweenLooks == 0 && run.stopped()) {
      return absl::CancelledError("stopped");
    }
    const leveldb::Slice key = iterator->key();
    if (IsReservedKey(key)) {
      iterator->Seek({kReservedKeyLimit.data(), kReservedKeyLimit.size()});
      continue;
    }
    const leveldb::Slice stored = iterator->value();
    meter.Count(key, stored);
    const bool recoded = ranges == nullptr || ranges->Covers(key);
    const Aead* const reader =
        recoded ? readers.of_new.get() : readers.of_old.get();
    if (reader == nullptr) {
      value.assign(stored.data(), stored.size());
    } else {
      const absl::Status opened = reader->Open(View(stored), View(key), &value);
      if (!opened.ok()) return DoesNotOpen(run, member, key, opened);
    }
    const absl::Status status = visit({key, stored, value, recoded});
    if (!status.ok()) return status;
    iterator->Next();
  }
  if (!iterator->status().ok()) {
    return StorageError(run.env, run.path(member), iterator->status());
  }
  meter.Finish();
  return absl::OkStatus();
}

absl::StatusOr<RecodedRanges> ReadRanges(const RunContext& run, size_t member) {
  absl::StatusOr<RecodedRanges> ranges =
      RecodedRanges::Read(run.set->db(member), run.plan->command.values);
  if (ranges.ok()) return ranges;
  return Annotate(ranges.status(), run.path(member));
}

absl::Status CheckOwner(const RunContext& run, size_t member,
                        const leveldb::Slice& key) {
  const absl::StatusOr<size_t> owner = run.plan->OwnerOf(key);
  if (!owner.ok()) return owner.status();
  if (*owner == member) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      run.path(member), ": holds the key ", DescribeKey(key),
      ", which --sharding=", run.plan->command.function, " puts into ",
      run.path(*owner),
      ". Where keys belong and how values are stored cannot change at once in "
      "place: name the function and the order of the folders that the set has, "
      "or reshard it first, without flags that say how values are stored"));
}

// Writes batches of rewritten values into one folder, each with the record of
// its range.
class BatchRewriter {
 public:
  BatchRewriter(const RunContext& run, size_t member)
      : run_(run), member_(member) {}

  absl::Status Add(const WalkedEntry& entry) {
    // A record covers nothing but values of its own batch.
    if (entry.recoded != recoded_) {
      const absl::Status status = Write();
      if (!status.ok()) return status;
      recoded_ = entry.recoded;
    }
    absl::string_view stored = entry.value;
    if (!run_.out_values.plain()) {
      const absl::Status status = Seal(entry);
      if (!status.ok()) return status;
      stored = sealed_;
    }
    if (empty_) first_ = entry.key.ToString();
    last_ = entry.key.ToString();
    empty_ = false;
    batch_.Put(entry.key, {stored.data(), stored.size()});
    ++rewritten_.entries;
    rewritten_.bytes += entry.key.size() + entry.value.size();
    return batch_.ApproximateSize() < run_.batch_bytes ? absl::OkStatus()
                                                       : Write();
  }

  // Writes what is left.
  absl::Status Write() {
    if (empty_) return absl::OkStatus();
    if (run_.stopped()) return absl::CancelledError("stopped");
    const ValueForms& values = run_.plan->command.values;
    if (!recoded_ && !values.same()) {
      PutRecodedRange(first_, last_, values, &batch_);
    }
    if (run_.limiter != nullptr) run_.limiter->Take(batch_.ApproximateSize());
    const leveldb::Status status =
        run_.set->db(member_)->Write(leveldb::WriteOptions(), &batch_);
    batch_.Clear();
    empty_ = true;
    if (status.ok()) run_.Passed("batch rewritten");
    return StorageError(run_.env, run_.path(member_), status);
  }

  const Rewritten& rewritten() const { return rewritten_; }

 private:
  // Seals a value and looks whether it opens again: the old one will be gone.
  absl::Status Seal(const WalkedEntry& entry) {
    sealed_.clear();
    absl::Status status =
        run_.out_values.aead->Seal(entry.value, View(entry.key), &sealed_);
    if (status.ok()) {
      status = run_.out_values.aead->Open(sealed_, View(entry.key), &opened_);
    }
    if (status.ok() && opened_ != entry.value) {
      status = absl::InternalError("it opens as another one");
    }
    if (status.ok()) return status;
    return absl::Status(status.code(),
                        absl::StrCat(run_.path(member_), ": the value of key ",
                                     DescribeKey(entry.key),
                                     " cannot be sealed: ", status.message()));
  }

  const RunContext& run_;
  const size_t member_;
  leveldb::WriteBatch batch_;
  bool empty_ = true;
  bool recoded_ = false;  // what is in the batch had the new form already
  std::string first_;
  std::string last_;
  std::string sealed_;
  std::string opened_;
  Rewritten rewritten_;
};

absl::StatusOr<Rewritten> RewriteFolder(const RunContext& run, size_t member) {
  absl::StatusOr<RecodedRanges> ranges = ReadRanges(run, member);
  if (!ranges.ok()) return ranges.status();
  BatchRewriter rewriter(run, member);
  absl::Status status = Walk(
      run, member, &*ranges, ReadersOf(run), [&](const WalkedEntry& entry) {
        return NeedsRewriting(run, entry) ? rewriter.Add(entry)
                                          : absl::OkStatus();
      });
  if (status.ok()) status = rewriter.Write();
  if (status.ok()) {
    status = StorageError(run.env, run.path(member),
                          SyncToDisk(run.set->db(member)));
  }
  if (status.ok()) status = SyncFolder(run.path(member));
  if (!status.ok()) return status;
  run.Passed("folder rewritten");
  return rewriter.rewritten();
}

}  // namespace

absl::StatusOr<RecodeTally> SurveyForms(const RunContext& run) {
  std::vector<RecodeTally> tallies(run.plan->members.size());
  const absl::Status status =
      ForEachFolder(run.plan->outputs, [&](size_t member) {
        absl::StatusOr<RecodedRanges> ranges = ReadRanges(run, member);
        if (!ranges.ok()) return ranges.status();
        Sha256 sha;
        RecodeTally& tally = tallies[member];
        return Walk(
            run, member, &*ranges, ReadersOf(run),
            [&](const WalkedEntry& entry) {
              tally.contents.Add(HashEntry(entry.key, entry.value, &sha));
              tally.to_rewrite += NeedsRewriting(run, entry);
              return CheckOwner(run, member, entry.key);
            });
      });
  if (!status.ok()) return status;
  RecodeTally all;
  for (const RecodeTally& tally : tallies) {
    all.contents.Add(tally.contents);
    all.to_rewrite += tally.to_rewrite;
  }
  return all;
}

absl::StatusOr<Rewritten> RewriteValues(const RunContext& run) {
  std::vector<Rewritten> rewritten(run.plan->members.size());
  const absl::Status status =
      ForEachFolder(run.plan->outputs, [&](size_t member) {
        absl::StatusOr<Rewritten> folder = RewriteFolder(run, member);
        if (folder.ok()) rewritten[member] = *folder;
        return folder.status();
      });
  if (!status.ok()) return status;
  Rewritten all;
  for (const Rewritten& folder : rewritten) {
    all.entries += folder.entries;
    all.bytes += folder.bytes;
  }
  return all;
}

absl::Status DropOldValues(const RunContext& run) {
  return ForEachFolder(run.plan->outputs, [&](size_t member) {
    const absl::Status status =
        DropStaleValues(run.env, run.path(member), run.set->db(member));
    if (status.ok()) run.Passed("old values dropped");
    return status;
  });
}

absl::StatusOr<MultisetDigest> ReadRecoded(const RunContext& run, bool doubt) {
  Readers readers = ReadersOf(run);
  if (doubt) {
    readers.of_new = DoubtingReaderOf(run.out_values, run.in_values);
  }
  std::vector<MultisetDigest> digests(run.plan->members.size());
  const absl::Status status =
      ForEachFolder(run.plan->outputs, [&](size_t member) {
        Sha256 sha;
        return Walk(
            run, member, nullptr, readers, [&](const WalkedEntry& entry) {
              digests[member].Add(HashEntry(entry.key, entry.value, &sha));
              return CheckOwner(run, member, entry.key);
            });
      });
  if (!status.ok()) return status;
  MultisetDigest all;
  for (const MultisetDigest& digest : digests) all.Add(digest);
  run.Passed("verified");
  return all;
}

absl::Status RemoveProgress(const RunContext& run) {
  return ForEachFolder(run.plan->outputs, [&](size_t member) {
    absl::Status status =
        Annotate(RemoveRecodedRanges(run.set->db(member)), run.path(member));
    if (status.ok()) status = SyncFolder(run.path(member));
    if (status.ok()) run.Passed("progress removed");
    return status;
  });
}

}  // namespace shardingdb
