// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/entry_reader.h"

#include <system_error>
#include <utility>

#include "crypto/sha256.h"
#include "leveldb/iterator.h"
#include "reshard/bulk_read.h"
#include "reshard/scan_meter.h"
#include "shardingdb/shard_label.h"

namespace shardingdb {

EntryReader::EntryReader(leveldb::DB* db, const Options& options)
    : db_(db), options_(options), current_(std::make_unique<Block>()) {
  std::unique_ptr<leveldb::Iterator> iterator(
      db_->NewIterator(BulkReadOptions()));
  try {
    thread_ = std::thread([this, iterator = std::move(iterator)]() mutable {
      try {
        ReadAll(std::move(iterator));
      } catch (...) {
        Finish(leveldb::Status::OK(), std::current_exception());
      }
    });
  } catch (const std::system_error& error) {
    Finish(leveldb::Status::IOError(
               "cannot start a thread to read (see `ulimit -u`)", error.what()),
           nullptr);
  }
}

EntryReader::~EntryReader() {
  {
    absl::MutexLock lock(&mutex_);
    unwanted_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

leveldb::Slice EntryReader::key() const {
  const Entry& entry = current_->entries[index_];
  return {current_->bytes.data() + entry.offset, entry.key_size};
}

leveldb::Slice EntryReader::value() const {
  const Entry& entry = current_->entries[index_];
  return {current_->bytes.data() + entry.offset + entry.key_size,
          entry.value_size};
}

void EntryReader::Next() {
  ++index_;
  if (!Valid()) TakeBlock();
}

void EntryReader::TakeBlock() {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(
      +[](EntryReader* self) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        return self->ready_ != nullptr || self->finished_;
      },
      this));
  if (ready_ == nullptr) {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    status_ = final_status_;
    return;
  }
  previous_ = std::exchange(current_, std::move(ready_));
  index_ = 0;
}

bool EntryReader::HandOver(std::unique_ptr<Block> block) {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(
      +[](EntryReader* self) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        return self->ready_ == nullptr || self->unwanted_;
      },
      this));
  if (unwanted_) return false;
  ready_ = std::move(block);
  return true;
}

void EntryReader::ReadAll(std::unique_ptr<leveldb::Iterator> iterator) {
  ScanMeter meter(db_, options_.progress);
  Sha256 sha;
  auto block = std::make_unique<Block>();
  bool wanted = true;
  bool stopped = false;
  for (iterator->SeekToFirst(); wanted && iterator->Valid(); iterator->Next()) {
    const leveldb::Slice key = iterator->key();
    if (key == ShardLabelKey()) continue;
    const leveldb::Slice value = iterator->value();
    if (!iterator->Valid()) break;  // the value does not open
    Entry entry = {block->bytes.size(), key.size(), value.size(), {}};
    if (options_.hash) entry.hash = HashEntry(key, value, &sha);
    block->bytes.append(key.data(), key.size());
    block->bytes.append(value.data(), value.size());
    block->entries.push_back(entry);
    meter.Count(key, value);
    if (block->bytes.size() + block->entries.size() * sizeof(Entry) <
        options_.block_bytes) {
      continue;
    }
    stopped = options_.stop != nullptr && options_.stop->load();
    // LevelDB walks on past a table that cannot be read, and shows what that
    // one has overwritten and deleted.
    if (stopped || !iterator->status().ok()) break;
    wanted = HandOver(std::exchange(block, std::make_unique<Block>()));
  }
  leveldb::Status status = iterator->status();
  if (stopped) status = leveldb::Status::IOError("stopped");
  // What was read before an error is as good as nothing.
  if (wanted && status.ok()) {
    meter.Finish();
    if (!block->entries.empty()) HandOver(std::move(block));
  }
  iterator.reset();
  Finish(std::move(status), nullptr);
}

void EntryReader::Finish(leveldb::Status status, std::exception_ptr thrown) {
  absl::MutexLock lock(&mutex_);
  final_status_ = std::move(status);
  thrown_ = std::move(thrown);
  finished_ = true;
}

}  // namespace shardingdb
