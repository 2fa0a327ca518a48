// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/batch_writer.h"

#include <system_error>
#include <utility>

#include "leveldb/options.h"

namespace shardingdb {

BatchWriter::BatchWriter(leveldb::DB* db, Options options)
    : db_(db),
      options_(std::move(options)),
      filling_(std::make_unique<leveldb::WriteBatch>()) {
  try {
    thread_ = std::thread([this] { WriteAll(); });
  } catch (const std::system_error&) {
  }
}

BatchWriter::~BatchWriter() {
  {
    absl::MutexLock lock(&mutex_);
    last_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

leveldb::Status BatchWriter::Put(const leveldb::Slice& key,
                                 const leveldb::Slice& value) {
  filling_->Put(key, value);
  filled_bytes_ += key.size() + value.size();
  if (filled_bytes_ < options_.batch_bytes) return leveldb::Status::OK();
  return HandOver(/*last=*/false);
}

leveldb::Status BatchWriter::Finish() { return HandOver(/*last=*/true); }

leveldb::Status BatchWriter::HandOver(bool last) {
  auto batch = std::exchange(filling_, std::make_unique<leveldb::WriteBatch>());
  filled_bytes_ = 0;
  if (!thread_.joinable()) Write(batch.get());
  absl::MutexLock lock(&mutex_);
  if (!thread_.joinable()) return status_;
  mutex_.Await(absl::Condition(
      +[](BatchWriter* self)
           ABSL_NO_THREAD_SAFETY_ANALYSIS { return self->full_ == nullptr; },
      this));
  full_ = std::move(batch);
  last_ = last_ || last;
  if (last) {
    mutex_.Await(absl::Condition(
        +[](BatchWriter* self) ABSL_NO_THREAD_SAFETY_ANALYSIS {
          return self->full_ == nullptr && !self->writing_;
        },
        this));
  }
  if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  return status_;
}

std::unique_ptr<leveldb::WriteBatch> BatchWriter::TakeBatch() {
  absl::MutexLock lock(&mutex_);
  writing_ = false;
  mutex_.Await(absl::Condition(
      +[](BatchWriter* self) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        return self->full_ != nullptr || self->last_;
      },
      this));
  writing_ = full_ != nullptr;
  return std::move(full_);
}

void BatchWriter::WriteAll() {
  while (const std::unique_ptr<leveldb::WriteBatch> batch = TakeBatch()) {
    try {
      Write(batch.get());
    } catch (...) {
      absl::MutexLock lock(&mutex_);
      thrown_ = std::current_exception();
    }
  }
}

void BatchWriter::Write(leveldb::WriteBatch* batch) {
  {
    absl::MutexLock lock(&mutex_);
    if (!status_.ok() || thrown_ != nullptr) return;
  }
  if (options_.before_batch) options_.before_batch(batch->ApproximateSize());
  const leveldb::Status status = db_->Write(leveldb::WriteOptions(), batch);
  if (status.ok()) {
    if (options_.on_batch) options_.on_batch();
    return;
  }
  absl::MutexLock lock(&mutex_);
  status_ = status;
}

}  // namespace shardingdb
