// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "examples/quickstart_steps.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"

namespace shardingdb {
namespace {

constexpr uint64_t kBatch = 100;
constexpr uint64_t kOverwriteEvery = 10;
constexpr size_t kValueBytes = 100;

std::string Key(uint64_t number) {
  return absl::StrFormat("key-%010d", number);
}

std::string Value(uint64_t number, bool is_new) {
  std::string value =
      absl::StrFormat("%s value of entry %d ", is_new ? "new" : "old", number);
  value.resize(kValueBytes, '.');
  return value;
}

bool IsOverwritten(uint64_t number) { return number % kOverwriteEvery == 0; }

leveldb::Status Wrong(const std::string& key, const char* what) {
  return leveldb::Status::Corruption(key, what);
}

leveldb::Status Stopped() { return leveldb::Status::IOError("stopped"); }

leveldb::Status CheckGet(leveldb::DB* db, const leveldb::ReadOptions& options,
                         uint64_t number, bool is_new) {
  const std::string key = Key(number);
  std::string value;
  const leveldb::Status status = db->Get(options, key, &value);
  if (status.IsNotFound()) return Wrong(key, "is lost");
  if (!status.ok()) return status;
  if (value != Value(number, is_new)) return Wrong(key, "has a wrong value");
  return status;
}

}  // namespace

leveldb::Status QuickstartSteps::Write(leveldb::DB* db) const {
  return ForEachBatch("write", [&](uint64_t begin, uint64_t end) {
    leveldb::WriteBatch batch;
    for (uint64_t i = begin; i < end; ++i) batch.Put(Key(i), Value(i, false));
    return db->Write(leveldb::WriteOptions(), &batch);
  });
}

leveldb::Status QuickstartSteps::Read(leveldb::DB* db, bool overwritten) const {
  return ForEachBatch("read", [&](uint64_t begin, uint64_t end) {
    leveldb::Status status;
    for (uint64_t i = begin; status.ok() && i < end; ++i) {
      status = CheckGet(db, leveldb::ReadOptions(), i,
                        overwritten && IsOverwritten(i));
    }
    return status;
  });
}

leveldb::Status QuickstartSteps::Scan(leveldb::DB* db, bool overwritten) const {
  progress_->StartPhase("scan", entries_);
  leveldb::ReadOptions options;
  options.fill_cache = false;
  const std::unique_ptr<leveldb::Iterator> iterator(db->NewIterator(options));
  uint64_t number = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next(), ++number) {
    if (stop_->load(std::memory_order_relaxed)) return Stopped();
    const std::string key = Key(number);
    if (number == entries_ || iterator->key() != key)
      return Wrong(iterator->key().ToString(), "is not the next key");
    const leveldb::Slice value = iterator->value();
    if (!iterator->Valid()) break;  // it does not open
    if (value != Value(number, overwritten && IsOverwritten(number)))
      return Wrong(key, "has a wrong value");
    progress_->Advance(1, 1, key.size() + value.size());
  }
  progress_->EndPhase();
  if (iterator->status().ok() && number != entries_)
    return Wrong(Key(number), "and those behind it are lost");
  return iterator->status();
}

leveldb::Status QuickstartSteps::Snapshot(leveldb::DB* db) const {
  const ScopedSnapshot snapshot(db);
  leveldb::ReadOptions then;
  then.snapshot = snapshot.get();
  return ForEachBatch("snapshot", [&](uint64_t begin, uint64_t end) {
    leveldb::WriteBatch batch;
    for (uint64_t i = begin; i < end; ++i)
      if (IsOverwritten(i)) batch.Put(Key(i), Value(i, true));
    leveldb::Status status = db->Write(leveldb::WriteOptions(), &batch);
    for (uint64_t i = begin; status.ok() && i < end; ++i) {
      if (!IsOverwritten(i)) continue;
      status = CheckGet(db, then, i, false);
      if (status.ok()) status = CheckGet(db, leveldb::ReadOptions(), i, true);
    }
    return status;
  });
}

leveldb::Status QuickstartSteps::ForEachBatch(
    const char* phase,
    absl::FunctionRef<leveldb::Status(uint64_t, uint64_t)> work) const {
  progress_->StartPhase(phase, entries_);
  std::atomic<uint64_t> next{0};
  std::atomic<bool> failed{false};
  absl::Mutex mutex;
  leveldb::Status first_error;
  std::vector<std::thread> threads;
  for (int t = 0; t < threads_; ++t) {
    threads.emplace_back([&] {
      while (!failed) {
        const uint64_t begin = next.fetch_add(kBatch);
        if (begin >= entries_) return;
        const uint64_t end = std::min(begin + kBatch, entries_);
        const leveldb::Status status = *stop_ ? Stopped() : work(begin, end);
        if (!status.ok()) {
          absl::MutexLock lock(&mutex);
          if (!failed.exchange(true)) first_error = status;
          return;
        }
        const uint64_t done = end - begin;
        progress_->Advance(done, done, done * (Key(0).size() + kValueBytes));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  progress_->EndPhase();
  return first_error;
}

}  // namespace shardingdb
