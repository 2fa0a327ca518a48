// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sequencer.h"

namespace shardingdb {

MultiShardOperation::MultiShardOperation(uint32_t parts) : waiter_(parts) {
  entries_.reserve(parts);
  queues_.reserve(parts);
}

QueueEntry* MultiShardOperation::Add(ShardQueue* queue) {
  queues_.push_back(queue);
  QueueEntry* entry = &entries_.emplace_back();
  entry->waiter = &waiter_;
  return entry;
}

void MultiShardOperation::AddWrite(ShardQueue* queue,
                                   const leveldb::WriteBatch* batch,
                                   bool sync) {
  QueueEntry* entry = Add(queue);
  entry->batch = batch;
  entry->sync = sync;
}

void MultiShardOperation::AddBarrier(
    ShardQueue* queue, const absl::FunctionRef<void(size_t)>* at_barrier) {
  QueueEntry* entry = Add(queue);
  entry->at_barrier = at_barrier;
  entry->part = entries_.size() - 1;
}

// Held back until it stands in every queue, and announced everywhere before it
// is released anywhere: whoever has seen a part of it in one shard finds it
// announced in all others, and waits for it there.
void Sequencer::Submit(MultiShardOperation& operation) {
  const absl::Span<QueueEntry> entries = operation.entries();
  const absl::Span<ShardQueue* const> queues = operation.queues();
  absl::MutexLock lock(&mutex_);
  for (size_t i = 0; i < entries.size(); ++i) queues[i]->PushHeld(&entries[i]);
  for (size_t i = 0; i < entries.size(); ++i) queues[i]->Announce(entries[i]);
  for (size_t i = 0; i < entries.size(); ++i) queues[i]->Release(entries[i]);
}

}  // namespace shardingdb
