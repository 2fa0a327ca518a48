// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SEQUENCER_H_
#define SHARDINGDB_SEQUENCER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/commit_log.h"
#include "shardingdb/shard_queue.h"
#include "shardingdb/waiter.h"

namespace shardingdb {

// One operation over several shards: a batch in parts, or a barrier at each.
// Made, submitted and awaited by one thread.
class MultiShardOperation {
 public:
  // For `parts` entries.
  explicit MultiShardOperation(uint32_t parts);

  void AddWrite(ShardQueue* queue, const leveldb::WriteBatch* batch, bool sync);

  // Calls (*at_barrier)(i) when the i-th part's queue reaches the barrier, on
  // any thread; several parts at the same time.
  void AddBarrier(ShardQueue* queue,
                  const absl::FunctionRef<void(size_t)>* at_barrier);

  // The batch goes into the commit log before any part of it is applied.
  // `bytes`, of EncodeBatch, must outlive the operation.
  void AddToLog(absl::string_view bytes, bool sync);

  // Logged batches behind this point of the order are refused, or accepted.
  void SetReadOnly(bool read_only) { set_read_only_ = read_only; }

  // Its place in the commit log; of a barrier, that of the last batch before
  // it. 0 without a log. Set by Submit.
  uint64_t lsn() const { return lsn_; }

  absl::Span<ShardQueue* const> queues() const { return queues_; }
  absl::Span<QueueEntry> entries() { return absl::MakeSpan(entries_); }

  // Drains the queues, and returns when every part is done.
  void Await() { AwaitDone(waiter_, queues_); }

 private:
  friend class Sequencer;

  QueueEntry* Add(ShardQueue* queue);

  Waiter waiter_;
  std::optional<CommitLog::Record> record_;  // what is to be logged
  bool sync_log_ = false;
  std::optional<bool> set_read_only_;
  uint64_t lsn_ = 0;
  bool released_ = false;            // guarded by the Sequencer's mutex
  std::vector<QueueEntry> entries_;  // reserved once: queues point into it
  std::vector<ShardQueue*> queues_;
};

// Puts operations that concern several shards into the queues of all of them at
// one point of one order, so that two that meet in several shards meet in the
// same order in each; and, where there is a commit log, puts batches into that
// in the same order, before any part of them is applied. Of threads that wait
// for the log one writes it for all.
//
// Lock order: the sequencer's mutex is a leaf; nothing is applied or written
// and no other lock is taken under it.
class Sequencer {
 public:
  // `log`, which has been started and must outlive this object, may be null.
  explicit Sequencer(CommitLog* log = nullptr);
  Sequencer(const Sequencer&) = delete;
  Sequencer& operator=(const Sequencer&) = delete;

  // Gives `operation` the next place in the order, waits for the log if it is
  // to be logged or stands behind what is, and makes it ready to be applied.
  // The caller then awaits it, also where the log could not be written: then
  // each part has that error and is not applied.
  //
  // NotSupported, and there is nothing to await, for a logged batch while such
  // are refused.
  [[nodiscard]] leveldb::Status Submit(MultiShardOperation& operation);

  // True after the log could not be written, until that is mended by the next
  // logged batch or by MendLog: what failed may still stand in it. Queues
  // refuse to write meanwhile, as what is written now must not be followed by
  // that after a crash.
  const std::atomic<bool>& log_failed() const { return log_failed_; }
  [[nodiscard]] leveldb::Status MendLog();

  // The segment of the log that is written.
  uint64_t log_segment() const {
    return log_segment_.load(std::memory_order_acquire);
  }

 private:
  void Place(MultiShardOperation& operation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Lets it be applied.
  void Release(MultiShardOperation& operation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Logs and releases all that is pending; gives the mutex up meanwhile.
  void LogPending() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Without the mutex, by the thread that has set writing_log_.
  leveldb::Status LogGroup();
  // Ends the time in which this thread had the log.
  void LogWritten() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  CommitLog* const log_;  // used by the thread that has set writing_log_
  bool read_only_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t last_lsn_ ABSL_GUARDED_BY(mutex_) = 0;
  bool writing_log_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<MultiShardOperation*> pending_ ABSL_GUARDED_BY(mutex_);
  absl::CondVar log_written_;
  std::atomic<bool> log_failed_{false};
  std::atomic<uint64_t> log_segment_{0};

  // Of the thread that has set writing_log_.
  std::vector<MultiShardOperation*> group_;
  std::vector<CommitLog::Record> records_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SEQUENCER_H_
