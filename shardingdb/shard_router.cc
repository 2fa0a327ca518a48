// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_router.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "shardingdb/batch_splitter.h"
#include "shardingdb/entry_size.h"
#include "shardingdb/lent_to_thread.h"
#include "shardingdb/reserved_keys.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// Threads that wait for the disk in synced writes over several shards.
constexpr size_t kMaxSyncThreads = 16;

class ReservedKeyFinder final : public leveldb::WriteBatch::Handler {
 public:
  explicit ReservedKeyFinder(const ReservedKeys& reserved)
      : reserved_(reserved) {}

  void Put(const leveldb::Slice& key, const leveldb::Slice&) override {
    Delete(key);
  }
  void Delete(const leveldb::Slice& key) override {
    if (status_.ok()) status_ = reserved_.CheckWrite(key);
  }

  const leveldb::Status& status() const { return status_; }

 private:
  const ReservedKeys& reserved_;
  leveldb::Status status_;
};

}  // namespace

absl::Status ShardRouter::Check(
    const std::vector<std::unique_ptr<DbHandle>>& shards,
    const ShardingFuncPtr& function) {
  if (shards.empty())
    return absl::InvalidArgumentError(
        "a database needs at least one shard, and none is given");
  if (shards.size() > kMaxShards) {
    return absl::InvalidArgumentError(absl::StrCat(
        shards.size(), " shards are given, and a database has at most ",
        kMaxShards));
  }
  if (function == nullptr)
    return absl::InvalidArgumentError("the sharding function is null");
  for (size_t i = 0; i < shards.size(); ++i) {
    if (shards[i] == nullptr)
      return absl::InvalidArgumentError(
          absl::StrCat("shard ", i, " is a null handle"));
    if (std::strcmp(shards[i]->comparator()->Name(),
                    shards[0]->comparator()->Name()) != 0) {
      return absl::FailedPreconditionError(absl::StrCat(
          "shard ", i, " has the comparator \"",
          shards[i]->comparator()->Name(), "\", but shard 0 has \"",
          shards[0]->comparator()->Name(), "\""));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ShardRouter>> ShardRouter::New(
    std::vector<std::unique_ptr<DbHandle>> shards, ShardingFuncPtr function,
    std::unique_ptr<CommitLog> commit_log) {
  const absl::Status status = Check(shards, function);
  if (!status.ok()) return status;
  return std::unique_ptr<ShardRouter>(new ShardRouter(
      std::move(shards), std::move(function), std::move(commit_log)));
}

ShardRouter::ShardRouter(std::vector<std::unique_ptr<DbHandle>> shards,
                         ShardingFuncPtr function,
                         std::unique_ptr<CommitLog> commit_log)
    : shards_(std::move(shards)),
      function_(std::move(function)),
      comparator_(shards_[0]->comparator()),
      reserved_(comparator_),
      all_shards_(shards_.size()),
      commit_log_(std::move(commit_log)),
      sequencer_(commit_log_.get()) {
  std::iota(all_shards_.begin(), all_shards_.end(), 0);
  queues_.reserve(shards_.size());
  for (const std::unique_ptr<DbHandle>& shard : shards_)
    queues_.push_back(std::make_unique<ShardQueue>(shard.get()));
  if (commit_log_ == nullptr) return;
  for (const std::unique_ptr<ShardQueue>& queue : queues_)
    queue->UseLog(commit_log_->id(), &sequencer_.log_failed());
  recycled_before_.store(commit_log_->segment(), std::memory_order_relaxed);
  recycle_pool_ = std::make_unique<ThreadPool>(1);
}

leveldb::Status ShardRouter::Closed() {
  return leveldb::Status::IOError("closed");
}

leveldb::Status ShardRouter::AtShard(const leveldb::Status& status,
                                     uint32_t shard) {
  return status.ok() ? status : Annotate(status, absl::StrCat("shard ", shard));
}

ShardRouter::~ShardRouter() {
  if (!closed_.load()) static_cast<void>(CloseLog());
  assert(open_->iterators.load() == 0 && "an iterator outlives its database");
  assert(open_->snapshots.load() == 0 && "a snapshot outlives its database");
}

leveldb::Status ShardRouter::Put(const leveldb::WriteOptions& options,
                                 const leveldb::Slice& key,
                                 const leveldb::Slice& value) {
  uint32_t shard;
  leveldb::Status status = CheckEntrySize(key, value);
  if (status.ok()) status = reserved_.CheckWrite(key);
  if (status.ok()) status = Locate(*function_, key, shard_count(), &shard);
  if (!status.ok()) return status;
  leveldb::WriteBatch batch;
  batch.Put(key, value);
  return WriteToShard(shard, batch, options.sync);
}

leveldb::Status ShardRouter::Delete(const leveldb::WriteOptions& options,
                                    const leveldb::Slice& key) {
  uint32_t shard;
  leveldb::Status status = reserved_.CheckWrite(key);
  if (status.ok()) status = Locate(*function_, key, shard_count(), &shard);
  if (!status.ok()) return status;
  leveldb::WriteBatch batch;
  batch.Delete(key);
  return WriteToShard(shard, batch, options.sync);
}

leveldb::Status ShardRouter::Write(const leveldb::WriteOptions& options,
                                   leveldb::WriteBatch* updates) {
  if (updates == nullptr)
    return leveldb::Status::InvalidArgument("the batch is null");
  leveldb::Status status;
  // The splitter looks for reserved keys by their bytes.
  if (shard_count() == 1 || comparator_ != leveldb::BytewiseComparator()) {
    ReservedKeyFinder finder(reserved_);
    status = updates->Iterate(&finder);
    if (status.ok()) status = finder.status();
    if (!status.ok()) return status;
  }
  if (shard_count() == 1) return WriteToShard(0, *updates, options.sync);
  LentToThread<BatchSplitter> splitter;
  status = splitter->Split(*updates, *function_, shard_count());
  if (!status.ok()) return status;
  const std::vector<BatchSplitter::Part*>& parts = splitter->parts();
  if (parts.empty())
    return options.sync ? SyncAll() : WriteToShard(0, *updates, false);
  if (parts.size() == 1)
    return WriteToShard(parts[0]->shard, *updates, options.sync);

  std::vector<uint32_t> shards;
  shards.reserve(parts.size());
  MultiShardOperation operation(static_cast<uint32_t>(parts.size()));
  for (const BatchSplitter::Part* part : parts) {
    operation.AddWrite(queues_[part->shard].get(), &part->batch, options.sync);
    shards.push_back(part->shard);
  }
  return commit_log_ == nullptr
             ? WriteToShards(operation, shards, options.sync)
             : WriteLogged(operation, shards, *updates, options.sync);
}

leveldb::Status ShardRouter::SyncAll() {
  // One each: a shard writes its sequence number into the batch that it is
  // given, and the shards are at it at the same time.
  const std::vector<leveldb::WriteBatch> empty(shard_count());
  MultiShardOperation operation(shard_count());
  for (uint32_t shard = 0; shard < shard_count(); ++shard)
    operation.AddWrite(queues_[shard].get(), &empty[shard], true);
  return WriteToShards(operation, all_shards_, true);
}

leveldb::Status ShardRouter::WriteToShard(uint32_t shard,
                                          const leveldb::WriteBatch& batch,
                                          bool sync) {
  if (closed_.load(std::memory_order_relaxed)) return Closed();
  const leveldb::Status mended = MendLog();
  if (!mended.ok()) return mended;
  ShardQueue* const queue = queues_[shard].get();
  Waiter waiter(1);
  QueueEntry entry;
  entry.batch = &batch;
  entry.sync = sync;
  entry.waiter = &waiter;
  queue->Push(&entry);
  AwaitDone(waiter, absl::MakeConstSpan(&queue, 1));
  return AtShard(entry.status, shard);
}

leveldb::Status ShardRouter::WriteToShards(MultiShardOperation& operation,
                                           absl::Span<const uint32_t> shards,
                                           bool sync) {
  if (closed_.load(std::memory_order_relaxed)) return Closed();
  leveldb::Status status = MendLog();
  if (status.ok()) status = sequencer_.Submit(operation);
  if (!status.ok()) return status;
  if (sync) {
    absl::call_once(sync_pool_once_, [this] {
      sync_pool_ = std::make_unique<ThreadPool>(
          static_cast<int>(std::min(shards_.size(), kMaxSyncThreads)));
    });
    for (ShardQueue* queue : operation.queues().subspan(1))
      sync_pool_->Schedule([queue] { queue->TryDrain(); });
  }
  operation.Await();
  return FirstError(operation, shards);
}

leveldb::Status ShardRouter::FirstError(MultiShardOperation& operation,
                                        absl::Span<const uint32_t> shards) {
  leveldb::Status status;
  uint32_t failed = 0;
  for (size_t i = 0; i < shards.size(); ++i) {
    const leveldb::Status& part = operation.entries()[i].status;
    if (!part.ok() && (status.ok() || shards[i] < failed)) {
      status = part;
      failed = shards[i];
    }
  }
  return AtShard(status, failed);
}

void ShardRouter::AtOnePoint(absl::Span<const uint32_t> shards,
                             absl::FunctionRef<void(size_t)> at_barrier) {
  MultiShardOperation operation(static_cast<uint32_t>(shards.size()));
  for (uint32_t shard : shards)
    operation.AddBarrier(queues_[shard].get(), &at_barrier);
  static_cast<void>(sequencer_.Submit(operation));  // barriers never fail
  operation.Await();
}

leveldb::Status ShardRouter::ReplaceUnchanged(
    uint32_t shard, absl::Span<const Replacement> replacements,
    size_t* replaced) {
  *replaced = 0;
  if (closed_.load(std::memory_order_relaxed)) return Closed();
  leveldb::Status status;
  AtOnePoint(absl::MakeConstSpan(&shard, 1), [&](size_t) {
    leveldb::WriteBatch batch;
    std::string value;
    for (const Replacement& replacement : replacements) {
      status =
          shards_[shard]->Get(leveldb::ReadOptions(), replacement.key, &value);
      if (status.IsNotFound()) continue;
      if (!status.ok()) return;
      if (value != replacement.expected) continue;
      batch.Put(replacement.key, replacement.value);
      ++*replaced;
    }
    status = leveldb::Status::OK();
    if (*replaced > 0) status = queues_[shard]->WriteAtBarrier(&batch);
  });
  if (!status.ok()) *replaced = 0;
  return AtShard(status, shard);
}

leveldb::Status ShardRouter::SetReadOnly(bool read_only) {
  if (closed_.load(std::memory_order_relaxed)) return Closed();
  // One at a time, so that what is remembered is what came last.
  absl::MutexLock lock(&set_read_only_mutex_);
  const auto set = [&](size_t shard) {
    queues_[shard]->SetReadOnlyAtBarrier(read_only);
  };
  const absl::FunctionRef<void(size_t)> at_barrier = set;
  MultiShardOperation operation(shard_count());
  operation.SetReadOnly(read_only);
  for (const std::unique_ptr<ShardQueue>& queue : queues_)
    operation.AddBarrier(queue.get(), &at_barrier);
  static_cast<void>(sequencer_.Submit(operation));  // barriers never fail
  operation.Await();
  read_only_.store(read_only, std::memory_order_relaxed);
  return leveldb::Status::OK();
}

leveldb::Status ShardRouter::Close() {
  if (closed_.load()) return leveldb::Status::OK();
  const uint64_t iterators = open_->iterators.load();
  const uint64_t snapshots = open_->snapshots.load();
  if (iterators + snapshots != 0) {
    return leveldb::Status::InvalidArgument(absl::StrCat(
        iterators, " iterators and ", snapshots,
        " snapshots are still open: delete and release them first"));
  }
  closed_.store(true);
  leveldb::Status first = CloseLog();
  for (uint32_t shard = 0; shard < shard_count(); ++shard) {
    const leveldb::Status status = AtShard(shards_[shard]->Close(), shard);
    if (first.ok()) first = status;
  }
  return first;
}

}  // namespace shardingdb
