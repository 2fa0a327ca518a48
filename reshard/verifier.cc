// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/verifier.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "crypto/sha256.h"
#include "leveldb/iterator.h"
#include "reshard/bulk_read.h"
#include "reshard/for_each_folder.h"
#include "reshard/scan_meter.h"
#include "reshard/storage_error.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/shard_label.h"

namespace shardingdb {
namespace {

// How often a scan looks whether it is to stop.
constexpr uint64_t kEntriesBetweenLooks = 4096;

absl::StatusOr<MultisetDigest> ReadOwn(const RunContext& run, size_t member,
                                       bool allow_strays) {
  leveldb::DB* const db = run.set->db(member);
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(BulkReadOptions()));
  ScanMeter meter(db, run.progress);
  Sha256 sha;
  MultisetDigest own;
  uint64_t seen = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    if (seen++ % kEntriesBetweenLooks == 0 && run.stopped()) {
      return absl::CancelledError("stopped");
    }
    if (iterator->key() == ShardLabelKey()) continue;
    const leveldb::Slice value = iterator->value();
    if (!iterator->Valid()) break;  // it does not open
    meter.Count(iterator->key(), value);
    const absl::StatusOr<size_t> owner = run.plan->OwnerOf(iterator->key());
    if (!owner.ok()) return owner.status();
    if (*owner == member) {
      own.Add(HashEntry(iterator->key(), value, &sha));
    } else if (!allow_strays || !run.plan->members[member].is_input) {
      return absl::AbortedError(absl::StrCat(
          run.path(member), ": holds the key ", DescribeKey(iterator->key()),
          ", which belongs into ", run.path(*owner)));
    }
  }
  if (!iterator->status().ok()) {
    return StorageError(run.env, run.path(member), iterator->status());
  }
  meter.Finish();
  return own;
}

}  // namespace

absl::StatusOr<MultisetDigest> ReadOutputs(const RunContext& run,
                                           bool allow_strays) {
  std::vector<MultisetDigest> own(run.plan->members.size());
  const absl::Status status =
      ForEachFolder(run.plan->outputs, [&](size_t member) {
        absl::StatusOr<MultisetDigest> digest =
            ReadOwn(run, member, allow_strays);
        if (digest.ok()) own[member] = *digest;
        return digest.status();
      });
  if (!status.ok()) return status;
  MultisetDigest all;
  for (const MultisetDigest& digest : own) all.Add(digest);
  return all;
}

absl::Status VerifyOutputs(const RunContext& run, bool allow_strays,
                           const MultisetDigest& expected) {
  const absl::StatusOr<MultisetDigest> found = ReadOutputs(run, allow_strays);
  if (!found.ok()) return found.status();
  run.Passed("verified");
  if (*found == expected) return absl::OkStatus();
  return absl::AbortedError(
      absl::StrCat("verification failed: the sources hold ", expected.entries(),
                   " entries with digest ", expected.ToHex(), ", the outputs ",
                   found->entries(), " with digest ", found->ToHex()));
}

}  // namespace shardingdb
