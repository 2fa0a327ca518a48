// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sequencer.h"

#include <new>

#include "shardingdb/status.h"

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

void MultiShardOperation::AddToLog(absl::string_view bytes, bool sync) {
  record_.emplace();
  record_->batch = bytes;
  record_->checksum = CommitLog::ChecksumOf(bytes);
  sync_log_ = sync;
}

Sequencer::Sequencer(CommitLog* log) : log_(log) {
  if (log_ == nullptr) return;
  last_lsn_ = log_->last_lsn();
  log_segment_.store(log_->segment(), std::memory_order_release);
}

leveldb::Status Sequencer::Submit(MultiShardOperation& operation) {
  absl::MutexLock lock(&mutex_);
  const bool logged = operation.record_.has_value();
  if (logged && read_only_)
    return leveldb::Status::NotSupported("the database is read-only");
  pending_.reserve(pending_.size() + 1);
  Place(operation);
  if (!logged && pending_.empty() && !writing_log_) {
    Release(operation);
    return leveldb::Status::OK();
  }
  pending_.push_back(&operation);
  while (!operation.released_) {
    if (writing_log_) {
      log_written_.Wait(&mutex_);
    } else {
      LogPending();
    }
  }
  return leveldb::Status::OK();
}

void Sequencer::Place(MultiShardOperation& operation) {
  if (operation.set_read_only_.has_value())
    read_only_ = *operation.set_read_only_;
  const bool logged = operation.record_.has_value();
  if (logged) operation.record_->lsn = ++last_lsn_;
  operation.lsn_ = last_lsn_;
  const absl::Span<QueueEntry> entries = operation.entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (logged) entries[i].lsn = last_lsn_;
    operation.queues()[i]->PushHeld(&entries[i]);
  }
}

// It was held back until it stood in every queue, and is announced everywhere
// before it is released anywhere: whoever has seen a part of it in one shard
// finds it announced in all others, and waits for it there. Operations are
// released in the order in which they were placed.
void Sequencer::Release(MultiShardOperation& operation) {
  const absl::Span<QueueEntry> entries = operation.entries();
  const absl::Span<ShardQueue* const> queues = operation.queues();
  for (size_t i = 0; i < entries.size(); ++i) queues[i]->Announce(entries[i]);
  for (size_t i = 0; i < entries.size(); ++i) queues[i]->Release(entries[i]);
  operation.released_ = true;
}

void Sequencer::LogPending() {
  writing_log_ = true;
  group_.swap(pending_);
  mutex_.Unlock();
  const leveldb::Status status = LogGroup();
  mutex_.Lock();
  for (MultiShardOperation* operation : group_) {
    if (!status.ok() && operation->record_.has_value()) {
      for (QueueEntry& entry : operation->entries()) {
        entry.cancelled = true;
        entry.status = Annotate(status, "commit log");
      }
    }
    Release(*operation);
  }
  group_.clear();
  LogWritten();
}

// Other threads wait for this one, which must not leave them.
leveldb::Status Sequencer::LogGroup() try {
  records_.clear();
  bool sync = false;
  for (const MultiShardOperation* operation : group_) {
    if (!operation->record_.has_value()) continue;
    records_.push_back(*operation->record_);
    sync = sync || operation->sync_log_;
  }
  if (records_.empty()) return leveldb::Status::OK();
  const leveldb::Status status = log_->Append(records_, sync);
  log_failed_.store(!status.ok(), std::memory_order_seq_cst);
  return status;
} catch (const std::bad_alloc&) {
  log_failed_.store(true, std::memory_order_seq_cst);
  return leveldb::Status::IOError("no memory to write with");
}

void Sequencer::LogWritten() {
  log_segment_.store(log_->segment(), std::memory_order_release);
  writing_log_ = false;
  log_written_.SignalAll();
}

leveldb::Status Sequencer::MendLog() {
  absl::MutexLock lock(&mutex_);
  while (writing_log_) log_written_.Wait(&mutex_);
  if (log_ == nullptr || !log_failed_.load(std::memory_order_seq_cst))
    return leveldb::Status::OK();
  writing_log_ = true;
  mutex_.Unlock();
  const leveldb::Status status = log_->Repair();
  log_failed_.store(!status.ok(), std::memory_order_seq_cst);
  mutex_.Lock();
  LogWritten();
  return Annotate(status, "commit log");
}

}  // namespace shardingdb
