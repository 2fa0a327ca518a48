// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SEQUENCER_H_
#define SHARDINGDB_SEQUENCER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
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

  absl::Span<ShardQueue* const> queues() const { return queues_; }
  absl::Span<QueueEntry> entries() { return absl::MakeSpan(entries_); }

  // Drains the queues, and returns when every part is done.
  void Await() { AwaitDone(waiter_, queues_); }

 private:
  QueueEntry* Add(ShardQueue* queue);

  Waiter waiter_;
  std::vector<QueueEntry> entries_;  // reserved once: queues point into it
  std::vector<ShardQueue*> queues_;
};

// Puts operations that concern several shards into the queues of all of them at
// one point of one order, so that two that meet in several shards meet in the
// same order in each.
//
// Lock order: the sequencer's mutex is a leaf; nothing is applied and no other
// lock is taken under it.
class Sequencer {
 public:
  Sequencer() = default;
  Sequencer(const Sequencer&) = delete;
  Sequencer& operator=(const Sequencer&) = delete;

  // Gives `operation` the next place in the order and makes it ready to be
  // applied. The caller then awaits it.
  void Submit(MultiShardOperation& operation);

 private:
  absl::Mutex mutex_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SEQUENCER_H_
