// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_queue.h"

#include <sched.h>

#include <chrono>
#include <new>

#include "leveldb/options.h"
#include "shardingdb/applied_lsn.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// Writes are combined up to this size, as LevelDB's own writer queue does; one
// larger batch goes alone, uncopied.
constexpr size_t kCombinedBytes = size_t{1} << 20;

// A thread that drains for others hands over after this many LevelDB writes, so
// that no caller serves the rest for ever.
constexpr int kWritesBeforeHandover = 32;

// A waiting thread yields for this long, which is some LevelDB writes, before
// it sleeps. Where the processors are busy, one yield takes longer than that.
constexpr std::chrono::microseconds kYieldTime(20);

leveldb::Status NotLogged() {
  return leveldb::Status::IOError(
      "the commit log could not be written: write again once it can");
}

// Yields, and says whether that has gone on for long enough.
class Yielder {
 public:
  bool YieldOrGiveUp() {
    const Clock::time_point now = Clock::now();
    if (end_ == Clock::time_point()) end_ = now + kYieldTime;
    if (now >= end_) return false;
    sched_yield();
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_;
};

}  // namespace

void ShardQueue::Push(QueueEntry* entry) {
  entry->next = incoming_.load(std::memory_order_relaxed);
  while (!incoming_.compare_exchange_weak(entry->next, entry,
                                          std::memory_order_seq_cst,
                                          std::memory_order_relaxed)) {
  }
}

void ShardQueue::PushHeld(QueueEntry* entry) {
  entry->ticket = ++last_ticket_;
  Push(entry);
}

// Nobody's entry is left behind: who pushes (or releases) and then finds the
// lock held has pushed (or released) before the holder's unlock, and the holder
// looks again after that. All of these operations are sequentially consistent.
void ShardQueue::TryDrain() {
  for (;;) {
    if (!drain_lock_.TryLock()) return;
    uint64_t released = 0;
    const DrainEnd end = Drain(&released);
    drain_lock_.Unlock();
    switch (end) {
      case DrainEnd::kEmpty:
        if (incoming_.load(std::memory_order_seq_cst) == nullptr) return;
        break;
      case DrainEnd::kFrontHeld:
        if (released_.load(std::memory_order_seq_cst) == released) return;
        break;
      case DrainEnd::kHandedOver:
        return;
    }
  }
}

ShardQueue::DrainEnd ShardQueue::Drain(uint64_t* released) {
  for (int writes = 0;;) {
    if (front_ == nullptr) TakeIncoming();
    if (front_ == nullptr) return DrainEnd::kEmpty;
    if (IsHeld(*front_, released)) return DrainEnd::kFrontHeld;
    if (writes == kWritesBeforeHandover) {
      front_->waiter->Lead();  // its entry is still here, so it cannot go
                               // before we unlock
      return DrainEnd::kHandedOver;
    }
    QueueEntry* entry = PopFront();
    if (entry->batch == nullptr) {
      (*entry->at_barrier)(entry->part);
      Done(entry);
    } else if (entry->cancelled) {
      Done(entry);
    } else if (entry->lsn == 0 && LogFailed()) {
      entry->status = NotLogged();
      Done(entry);
    } else {
      ApplyWrites(entry);
      ++writes;
    }
  }
}

void ShardQueue::Done(QueueEntry* entry) {
  if (entry->ticket != 0)
    applied_.store(entry->ticket, std::memory_order_seq_cst);
  entry->waiter->EntryDone();
}

void ShardQueue::UseLog(const std::string& log_id,
                        const std::atomic<bool>* log_failed) {
  log_id_ = log_id;
  log_failed_ = log_failed;
}

leveldb::Status ShardQueue::WriteAtBarrier(leveldb::WriteBatch* batch) {
  if (LogFailed()) return NotLogged();
  unlogged_unsynced_ = true;
  return Write(leveldb::WriteOptions(), batch);
}

leveldb::Status ShardQueue::NoteAtBarrier(uint64_t lsn, bool closed) {
  const leveldb::Status status = CheckNotBehind();
  if (!status.ok()) return status;
  notes_.fetch_add(1, std::memory_order_relaxed);
  unlogged_unsynced_ = false;
  leveldb::WriteOptions options;
  options.sync = true;
  return shard_->Put(options, AppliedLsnKey(),
                     EncodeAppliedLsn({log_id_, lsn, closed}));
}

leveldb::Status ShardQueue::Behind() const {
  return Annotate(behind_status_,
                  "behind the commit log, so open the set again to read and "
                  "write here");
}

void ShardQueue::TakeIncoming() {
  QueueEntry* newest = incoming_.exchange(nullptr, std::memory_order_seq_cst);
  if (newest == nullptr) return;
  QueueEntry* oldest = nullptr;
  while (newest != nullptr) {
    QueueEntry* older = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = older;
  }
  front_ = oldest;
}

QueueEntry* ShardQueue::PopFront() {
  QueueEntry* entry = front_;
  front_ = entry->next;
  entry->next = nullptr;
  return entry;
}

bool ShardQueue::IsHeld(const QueueEntry& entry, uint64_t* released) const {
  if (entry.ticket <= *released) return false;
  *released = released_.load(std::memory_order_seq_cst);
  return entry.ticket > *released;
}

void ShardQueue::ApplyWrites(QueueEntry* first) {
  QueueEntry* last = first;
  size_t bytes = first->batch->ApproximateSize();
  uint64_t ticket = first->ticket;
  uint64_t released = first->ticket;
  for (;;) {
    if (front_ == nullptr) TakeIncoming();
    if (front_ == nullptr || front_->batch == nullptr ||
        IsHeld(*front_, &released) || front_->cancelled)
      break;
    // A write that need not be synced must not wait for one that must, unless
    // that one came first.
    if (front_->sync && front_->lsn == 0 && !first->sync) break;
    bytes += front_->batch->ApproximateSize();
    if (bytes > kCombinedBytes) break;
    last->next = PopFront();
    last = last->next;
    if (last->ticket != 0) ticket = last->ticket;
  }

  leveldb::WriteOptions options;
  options.sync = NeedsSync(first);
  const leveldb::Status status =
      last == first && first->lsn == 0
          ? Write(options, const_cast<leveldb::WriteBatch*>(first->batch))
          : WriteCombined(options, first);
  if (ticket != 0) applied_.store(ticket, std::memory_order_seq_cst);
  for (QueueEntry* entry = first; entry != nullptr;) {
    QueueEntry* next = entry->next;
    entry->status = status;
    entry->waiter->EntryDone();
    entry = next;
  }
}

// A batch that stands in the commit log is durable there. What came before it
// has to be, too, as it is in one LevelDB behind a synced write.
bool ShardQueue::NeedsSync(const QueueEntry* first) {
  bool sync = false;
  for (const QueueEntry* entry = first; entry != nullptr; entry = entry->next) {
    if (entry->lsn == 0) {
      sync = sync || entry->sync;
      unlogged_unsynced_ = true;
    } else {
      sync = sync || (entry->sync && unlogged_unsynced_);
    }
  }
  if (sync) unlogged_unsynced_ = false;
  return sync;
}

leveldb::Status ShardQueue::WriteCombined(const leveldb::WriteOptions& options,
                                          const QueueEntry* first) {
  uint64_t lsn = 0;
  leveldb::Status status;
  try {
    combined_.Clear();
    for (const QueueEntry* entry = first; entry != nullptr;
         entry = entry->next) {
      combined_.Append(*entry->batch);
      if (entry->lsn != 0) lsn = entry->lsn;
    }
    if (lsn != 0) {
      notes_.fetch_add(1, std::memory_order_relaxed);
      combined_.Put(AppliedLsnKey(),
                    EncodeAppliedLsn(AppliedLsn{log_id_, lsn, false}));
    }
  } catch (const std::bad_alloc&) {
    status = leveldb::Status::IOError("no memory to write with");
  }
  if (status.ok()) status = Write(options, &combined_);
  if (!status.ok() && lsn != 0) {
    behind_status_ = status;
    behind_.store(true, std::memory_order_seq_cst);
  }
  return status;
}

leveldb::Status ShardQueue::Write(const leveldb::WriteOptions& options,
                                  leveldb::WriteBatch* batch) {
  leveldb::Status status = CheckNotBehind();
  if (!status.ok()) return status;
  if (read_only_)
    return leveldb::Status::NotSupported("the database is read-only");
  if (broken_) {
    return leveldb::Status::IOError(
        "memory ran out in the middle of a write: open the database again");
  }
  // The entries of other threads wait for this one, which must not leave them.
  try {
    return shard_->Write(options, batch);
  } catch (const std::bad_alloc&) {
    broken_ = true;  // LevelDB does not come back from that
    return leveldb::Status::IOError("memory ran out in the middle of a write");
  }
}

void ShardQueue::AwaitApplied(uint64_t ticket) {
  Yielder yielder;
  do {
    TryDrain();
    if (applied_.load(std::memory_order_seq_cst) >= ticket) return;
  } while (yielder.YieldOrGiveUp());
  // Everything announced stands before an entry that is pushed now.
  Waiter waiter(1);
  QueueEntry fence;
  const auto nothing = [](size_t) {};
  const absl::FunctionRef<void(size_t)> at_fence = nothing;
  fence.at_barrier = &at_fence;
  fence.waiter = &waiter;
  Push(&fence);
  ShardQueue* const self = this;
  AwaitDone(waiter, absl::MakeConstSpan(&self, 1));
}

void AwaitDone(Waiter& waiter, absl::Span<ShardQueue* const> queues) {
  Yielder yielder;
  bool may_sleep = true;
  for (;;) {
    for (ShardQueue* queue : queues) {
      if (waiter.Done()) return;
      queue->TryDrain();
    }
    if (waiter.Done()) return;
    if (yielder.YieldOrGiveUp()) continue;
    if (may_sleep) {
      waiter.Sleep();  // woken when done, or to lead
      may_sleep = false;
    } else {
      sched_yield();  // leading: the lock comes free in a moment
    }
  }
}

}  // namespace shardingdb
