// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARD_QUEUE_H_
#define SHARDINGDB_SHARD_QUEUE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/waiter.h"

namespace shardingdb {

// What stands in a shard's queue: a batch to write, or (batch == nullptr) a
// barrier that calls `at_barrier` with `part` once everything before it is
// applied and nothing behind it is. Owned by the thread that pushed it, which
// must keep it, what it points to and the waiter until the waiter is done.
struct QueueEntry {
  const leveldb::WriteBatch* batch = nullptr;
  bool sync = false;
  const absl::FunctionRef<void(size_t part)>* at_barrier = nullptr;
  size_t part = 0;
  Waiter* waiter = nullptr;

  // The batch's place in the commit log, where it has one.
  uint64_t lsn = 0;

  // Nothing is applied, and `status` is set already.
  bool cancelled = false;

  // Set when done. A barrier's is always OK.
  leveldb::Status status;

  // The queue's own: place among the entries that came through the sequencer
  // (0: did not), and the list.
  uint64_t ticket = 0;
  QueueEntry* next = nullptr;
};

// The writes of one shard, in order. See docs/architecture.md, "One order for
// writes".
//
// Whoever finds the queue undrained drains it, for everybody, many entries into
// one LevelDB batch; so no thread sleeps while the shard is idle, and threads
// that meet at a shard combine their writes instead of handing a mutex round.
//
// Entries for one shard are pushed by anybody at any time. Entries that belong
// to an operation over several shards come from the Sequencer, get a ticket,
// and are held back until Release: nothing behind them is applied either.
// Announce comes before the first Release in any shard: from then on no read
// may miss them, since another shard may show its part.
//
// Safe from any thread. `shard` is used by one thread at a time, but for reads
// that go past the queue.
class alignas(64) ShardQueue {
 public:
  // `shard` must outlive the queue.
  explicit ShardQueue(DbHandle* shard) : shard_(shard) {}
  ShardQueue(const ShardQueue&) = delete;
  ShardQueue& operator=(const ShardQueue&) = delete;

  // From now on the shard notes how far it has applied the commit log `log_id`
  // (AppliedLsn), with each batch that stands in it. `log_failed`, of the
  // Sequencer, must outlive the queue. REQUIRES: nothing was pushed.
  void UseLog(const std::string& log_id, const std::atomic<bool>* log_failed);

  // OK unless a batch that stands in the commit log could not be applied here.
  // The shard is behind then: neither read nor written until the set is opened
  // again, lest anybody sees half of that batch.
  leveldb::Status CheckNotBehind() const {
    return behind_.load(std::memory_order_seq_cst) ? Behind()
                                                   : leveldb::Status::OK();
  }

  // How many records of how far the log is applied have been put.
  uint64_t notes() const { return notes_.load(std::memory_order_relaxed); }

  // The same, at a barrier of this queue, and makes all of the shard durable.
  leveldb::Status NoteAtBarrier(uint64_t lsn, bool closed);

  // Appends an entry that concerns this shard alone. Lock-free.
  void Push(QueueEntry* entry);

  // For the Sequencer, which calls them under its mutex: append and hold back;
  // make reads wait; let it be applied.
  void PushHeld(QueueEntry* entry);
  void Announce(const QueueEntry& entry) {
    announced_.store(entry.ticket, std::memory_order_seq_cst);
  }
  void Release(const QueueEntry& entry) {
    released_.store(entry.ticket, std::memory_order_seq_cst);
  }

  // Applies what waits, unless somebody else is at it (who then does it all).
  void TryDrain();

  // Returns once every announced entry is applied: two atomic loads when there
  // is none.
  void AwaitAnnounced() {
    const uint64_t announced = announced_.load(std::memory_order_seq_cst);
    if (applied_.load(std::memory_order_seq_cst) < announced)
      AwaitApplied(announced);
  }

  // Refuses or accepts writes. Only from an `at_barrier` of this queue.
  void SetReadOnlyAtBarrier(bool read_only) { read_only_ = read_only; }

  // Writes `batch` now. Only from an `at_barrier` of this queue.
  leveldb::Status WriteAtBarrier(leveldb::WriteBatch* batch);

  DbHandle* shard() const { return shard_; }

 private:
  // Held by the thread that drains. Never waited for.
  class ABSL_LOCKABLE DrainLock {
   public:
    bool TryLock() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) {
      return !held_.exchange(true, std::memory_order_seq_cst);
    }
    void Unlock() ABSL_UNLOCK_FUNCTION() {
      held_.store(false, std::memory_order_seq_cst);
    }

   private:
    std::atomic<bool> held_{false};
  };

  enum class DrainEnd { kEmpty, kFrontHeld, kHandedOver };

  // Applies entries from the front until there are none, or the front one is
  // held back (*released is then the last release seen), or it has done enough
  // for others and has told the owner of the front one to go on.
  DrainEnd Drain(uint64_t* released) ABSL_EXCLUSIVE_LOCKS_REQUIRED(drain_lock_);
  void TakeIncoming() ABSL_EXCLUSIVE_LOCKS_REQUIRED(drain_lock_);
  QueueEntry* PopFront() ABSL_EXCLUSIVE_LOCKS_REQUIRED(drain_lock_);
  bool IsHeld(const QueueEntry& entry, uint64_t* released) const;
  void Done(QueueEntry* entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(drain_lock_);
  void ApplyWrites(QueueEntry* first)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(drain_lock_);
  // Whether a group of writes has to be made durable here.
  bool NeedsSync(const QueueEntry* first)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(drain_lock_);
  leveldb::Status Behind() const;
  bool LogFailed() const {
    return log_failed_ != nullptr &&
           log_failed_->load(std::memory_order_seq_cst);
  }
  // As the thread that drains.
  leveldb::Status WriteCombined(const leveldb::WriteOptions& options,
                                const QueueEntry* first)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(drain_lock_);
  leveldb::Status Write(const leveldb::WriteOptions& options,
                        leveldb::WriteBatch* batch);
  void AwaitApplied(uint64_t ticket);

  DbHandle* const shard_;

  std::atomic<QueueEntry*> incoming_{nullptr};  // newest first
  uint64_t last_ticket_ = 0;  // guarded by the Sequencer's mutex

  // Tickets: last announced, last released, last applied. released_ <=
  // announced_, applied_ <= released_.
  std::atomic<uint64_t> announced_{0};
  std::atomic<uint64_t> released_{0};
  std::atomic<uint64_t> applied_{0};

  DrainLock drain_lock_;
  QueueEntry* front_ ABSL_GUARDED_BY(drain_lock_) = nullptr;  // oldest first
  leveldb::WriteBatch combined_ ABSL_GUARDED_BY(drain_lock_);
  // Changed and read by the draining thread only.
  bool read_only_ = false;
  bool broken_ = false;
  bool unlogged_unsynced_ = false;  // something is neither logged nor durable

  std::string log_id_;  // empty without a commit log
  const std::atomic<bool>* log_failed_ = nullptr;
  std::atomic<uint64_t> notes_{0};
  std::atomic<bool> behind_{false};
  leveldb::Status behind_status_;  // set before behind_
};

// Drains `queues` and sleeps where others drain, until `waiter` is done.
void AwaitDone(Waiter& waiter, absl::Span<ShardQueue* const> queues);

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARD_QUEUE_H_
