// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/commit_recovery.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "leveldb/comparator.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/applied_lsn.h"
#include "shardingdb/batch_splitter.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/status.h"
#include "shardingdb/thread_pool.h"

namespace shardingdb {
namespace {

// Threads that wait for the disk.
constexpr size_t kMaxSyncThreads = 16;

using Shards = absl::Span<const std::unique_ptr<DbHandle>>;
using Applied = std::vector<std::optional<AppliedLsn>>;

absl::Status AtShard(const absl::Status& status, size_t shard) {
  return Annotate(status, absl::StrCat("shard ", shard));
}

absl::StatusOr<Applied> ReadAll(Shards shards) {
  Applied applied;
  for (size_t i = 0; i < shards.size(); ++i) {
    absl::StatusOr<std::optional<AppliedLsn>> one =
        ReadAppliedLsn(shards[i].get());
    if (!one.ok()) return AtShard(one.status(), i);
    applied.push_back(*std::move(one));
  }
  return applied;
}

// OK if the shards may begin a new log.
absl::Status CheckNeedsNoLog(const Applied& applied) {
  for (size_t i = 0; i < applied.size(); ++i) {
    if (!applied[i].has_value() || applied[i]->closed) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "shard ", i,
        " was written with a commit log, and the set was not closed since"));
  }
  return absl::OkStatus();
}

// OK if `log` goes on where each shard has got to.
absl::Status CheckFits(const Applied& applied, const CommitLog& log) {
  // Until every shard has a record nothing is logged.
  const bool has_batches = log.last_lsn() + 1 > log.first_lsn();
  for (size_t i = 0; i < applied.size(); ++i) {
    const std::optional<AppliedLsn>& one = applied[i];
    if (one.has_value() && one->log == log.id()) {
      if (one->lsn + 1 >= log.first_lsn()) continue;
      return absl::DataLossError(
          absl::StrCat("shard ", i, " has applied the commit log up to batch ",
                       one->lsn, ", which begins with batch ", log.first_lsn(),
                       " by now: is the shard an older copy?"));
    }
    if (one.has_value() && !one->closed) {
      return absl::FailedPreconditionError(absl::StrCat(
          "shard ", i,
          " was written with another commit log, and the set was not closed "
          "since: is this the folder of another set's log?"));
    }
    if (has_batches) {
      return absl::DataLossError(absl::StrCat(
          "shard ", i,
          " knows nothing of this commit log, which holds batches of other "
          "shards: is the shard an older copy, or the log of another set?"));
    }
  }
  return absl::OkStatus();
}

// Applies what each shard lacks, without making it durable.
class Redo {
 public:
  Redo(const CommitLog& log, const ShardingFunc& function, Shards shards,
       const Applied& applied)
      : log_(log), function_(function), shards_(shards) {
    for (const std::optional<AppliedLsn>& one : applied) {
      const bool counts = one.has_value() && one->log == log.id();
      lsns_.push_back(counts ? one->lsn : 0);
    }
  }

  absl::Status Run() {
    return log_.Replay([this](uint64_t lsn, leveldb::WriteBatch* batch) {
      return Apply(lsn, *batch);
    });
  }

 private:
  absl::Status Apply(uint64_t lsn, const leveldb::WriteBatch& batch) {
    leveldb::Status status = splitter_.Split(
        batch, function_, static_cast<uint32_t>(shards_.size()));
    if (!status.ok())
      return Annotate(ToAbslStatus(status), absl::StrCat("batch ", lsn));
    for (BatchSplitter::Part* part : splitter_.parts()) {
      if (lsns_[part->shard] >= lsn) continue;
      part->batch.Put(AppliedLsnKey(),
                      EncodeAppliedLsn({log_.id(), lsn, false}));
      status =
          shards_[part->shard]->Write(leveldb::WriteOptions(), &part->batch);
      if (!status.ok()) return AtShard(ToAbslStatus(status), part->shard);
      lsns_[part->shard] = lsn;
    }
    return absl::OkStatus();
  }

  const CommitLog& log_;
  const ShardingFunc& function_;
  const Shards shards_;
  std::vector<uint64_t> lsns_;
  BatchSplitter splitter_;
};

// Makes all that is in the shards durable, and notes that each has applied the
// log up to `lsn`.
absl::Status NoteAll(const CommitLog& log, uint64_t lsn, Shards shards) {
  std::vector<leveldb::Status> statuses(shards.size());
  ParallelFor(shards.size(), kMaxSyncThreads, [&](size_t i) {
    leveldb::WriteOptions options;
    options.sync = true;
    statuses[i] = shards[i]->Put(options, AppliedLsnKey(),
                                 EncodeAppliedLsn({log.id(), lsn, false}));
  });
  for (size_t i = 0; i < shards.size(); ++i) {
    if (!statuses[i].ok()) return AtShard(ToAbslStatus(statuses[i]), i);
  }
  return absl::OkStatus();
}

}  // namespace

// The order matters: a segment is begun before any shard says that it needs
// one; old segments go when every shard durably has what they hold. A crash in
// between leaves what the next call understands.
absl::StatusOr<std::unique_ptr<CommitLog>> RecoverSet(
    const CommitLog::Options& options, const ShardingFunc& function,
    Shards shards) {
  if (shards[0]->comparator()->Compare(AppliedLsnKey(), ShardLabelKey()) == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the comparator \"", shards[0]->comparator()->Name(),
        "\" takes the records of shards for one, so there can be no commit "
        "log"));
  }
  absl::StatusOr<Applied> applied = ReadAll(shards);
  if (!applied.ok()) return applied.status();
  CommitLog::Layout layout;
  layout.function = function.name();
  layout.shard_count = static_cast<uint32_t>(shards.size());
  absl::StatusOr<std::unique_ptr<CommitLog>> opened =
      CommitLog::Open(options, layout);
  if (!opened.ok()) return opened.status();
  CommitLog& log = **opened;

  absl::Status status;
  if (!options.accept_loss) {
    status = log.is_new()
                 ? Annotate(CheckNeedsNoLog(*applied),
                            absl::StrCat("no commit log in ", options.folder))
                 : Annotate(CheckFits(*applied, log), options.folder);
  }
  if (status.ok()) {
    status =
        Annotate(Redo(log, function, shards, *applied).Run(), options.folder);
  }
  if (!status.ok()) return status;
  uint64_t last = log.last_lsn();
  for (const std::optional<AppliedLsn>& one : *applied) {
    if (one.has_value()) last = std::max(last, one->lsn);
  }
  status = log.Start(last);
  if (status.ok()) status = NoteAll(log, last, shards);
  if (status.ok()) status = log.RemoveBefore(log.segment());
  if (!status.ok()) return status;
  return opened;
}

absl::Status LeaveCommitLog(Shards shards, bool read_only) {
  absl::StatusOr<Applied> applied = ReadAll(shards);
  if (!applied.ok()) return applied.status();
  absl::Status status =
      Annotate(CheckNeedsNoLog(*applied),
               "open the set with its commit log (WithCommitLog)");
  for (size_t i = 0; i < shards.size() && status.ok() && !read_only; ++i) {
    if (!(*applied)[i].has_value()) continue;
    status = AtShard(ToAbslStatus(shards[i]->Delete(leveldb::WriteOptions(),
                                                    AppliedLsnKey())),
                     i);
  }
  return status;
}

}  // namespace shardingdb
