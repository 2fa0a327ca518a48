// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What ShardRouter does with its commit log: docs/commit-log.md.

#include <string>
#include <utility>

#include "absl/base/call_once.h"
#include "absl/strings/str_cat.h"
#include "shardingdb/applied_lsn.h"
#include "shardingdb/lent_to_thread.h"
#include "shardingdb/logged_batch.h"
#include "shardingdb/shard_router.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// A buffer that has grown beyond this is given back.
constexpr size_t kKeptBytes = size_t{1} << 20;

struct LoggedBytes {
  std::string bytes;

  void Clear() {
    if (bytes.capacity() > kKeptBytes) {
      bytes = std::string();
    } else {
      bytes.clear();
    }
  }
};

}  // namespace

leveldb::Status ShardRouter::MendLog() {
  return sequencer_.log_failed().load(std::memory_order_relaxed)
             ? sequencer_.MendLog()
             : leveldb::Status::OK();
}

leveldb::Status ShardRouter::CheckNoneBehind(
    absl::Span<const uint32_t> shards) const {
  for (uint32_t shard : shards) {
    const leveldb::Status status = queues_[shard]->CheckNotBehind();
    if (!status.ok()) return AtShard(status, shard);
  }
  return leveldb::Status::OK();
}

leveldb::Status ShardRouter::WriteLogged(MultiShardOperation& operation,
                                         absl::Span<const uint32_t> shards,
                                         const leveldb::WriteBatch& batch,
                                         bool sync) {
  if (closed_.load(std::memory_order_relaxed)) return Closed();
  // Not into the log either.
  leveldb::Status status = CheckNoneBehind(shards);
  if (!status.ok()) return status;
  LentToThread<LoggedBytes> logged;
  status = EncodeBatch(batch, &logged->bytes);
  if (!status.ok()) return status;
  if (logged->bytes.size() > CommitLog::kMaxBatchBytes) {
    return leveldb::Status::InvalidArgument(
        absl::StrCat("a batch over several shards of ", logged->bytes.size(),
                     " bytes is too long: the commit log takes up to ",
                     CommitLog::kMaxBatchBytes));
  }
  operation.AddToLog(logged->bytes, sync);
  status = sequencer_.Submit(operation);
  if (!status.ok()) return status;
  operation.Await();
  RecycleLogInBackground();
  return FirstError(operation, shards);
}

void ShardRouter::RecycleLogInBackground() {
  const uint64_t segment = sequencer_.log_segment();
  uint64_t before = recycled_before_.load(std::memory_order_relaxed);
  while (before < segment) {
    if (recycled_before_.compare_exchange_weak(before, segment,
                                               std::memory_order_relaxed)) {
      recycle_pool_->Schedule([this] { RecycleLog(); });
      return;
    }
  }
}

// A segment goes once all that stands in it is durable in every shard, and each
// shard says that it is. Nothing is lost by leaving it if that fails.
void ShardRouter::RecycleLog() {
  const uint64_t segment = sequencer_.log_segment();
  if (NoteApplied(/*closed=*/false).ok())
    static_cast<void>(commit_log_->RemoveBefore(segment));
}

leveldb::Status ShardRouter::NoteApplied(bool closed) {
  std::vector<leveldb::Status> statuses(shard_count());
  MultiShardOperation operation(shard_count());
  const auto note = [&](size_t i) {
    statuses[i] = queues_[i]->NoteAtBarrier(operation.lsn(), closed);
  };
  const absl::FunctionRef<void(size_t)> at_barrier = note;
  for (const std::unique_ptr<ShardQueue>& queue : queues_)
    operation.AddBarrier(queue.get(), &at_barrier);
  static_cast<void>(sequencer_.Submit(operation));  // barriers never fail
  operation.Await();
  for (uint32_t i = 0; i < shard_count(); ++i) {
    if (!statuses[i].ok()) return AtShard(statuses[i], i);
  }
  return leveldb::Status::OK();
}

// The order matters: while there is a log, each shard says how far it has
// applied it; while a shard says that it is not closed, there is a log. A crash
// in between leaves what the next RecoverSet understands.
leveldb::Status ShardRouter::CloseLog() {
  if (commit_log_ == nullptr) return leveldb::Status::OK();
  recycle_pool_.reset();
  leveldb::Status status = MendLog();
  if (status.ok()) status = NoteApplied(/*closed=*/true);
  if (status.ok()) status = ToLevelDbStatus(commit_log_->RemoveAll());
  for (uint32_t i = 0; i < shard_count() && status.ok(); ++i) {
    status = AtShard(
        shards_[i]->Delete(leveldb::WriteOptions(), AppliedLsnKey()), i);
  }
  return status;
}

}  // namespace shardingdb
