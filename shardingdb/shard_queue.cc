// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_queue.h"

#include <sched.h>

#include <chrono>
#include <new>

#include "leveldb/options.h"

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
    if (entry->batch != nullptr) {
      ApplyWrites(entry);
      ++writes;
      continue;
    }
    (*entry->at_barrier)(entry->part);
    if (entry->ticket != 0)
      applied_.store(entry->ticket, std::memory_order_seq_cst);
    entry->waiter->EntryDone();
  }
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
        IsHeld(*front_, &released))
      break;
    // A write that need not be synced must not wait for one that must, unless
    // that one came first.
    if (front_->sync && !first->sync) break;
    bytes += front_->batch->ApproximateSize();
    if (bytes > kCombinedBytes) break;
    last->next = PopFront();
    last = last->next;
    if (last->ticket != 0) ticket = last->ticket;
  }

  leveldb::WriteOptions options;
  options.sync = first->sync;
  const leveldb::Status status =
      last == first
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

leveldb::Status ShardQueue::WriteCombined(const leveldb::WriteOptions& options,
                                          const QueueEntry* first) {
  try {
    combined_.Clear();
    for (const QueueEntry* entry = first; entry != nullptr; entry = entry->next)
      combined_.Append(*entry->batch);
  } catch (const std::bad_alloc&) {
    return leveldb::Status::IOError("no memory to write with");
  }
  return Write(options, &combined_);
}

leveldb::Status ShardQueue::Write(const leveldb::WriteOptions& options,
                                  leveldb::WriteBatch* batch) {
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
