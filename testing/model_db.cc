// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/model_db.h"

#include <cassert>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "leveldb/write_batch.h"
#include "shardingdb/entry_size.h"

namespace shardingdb {
namespace {

using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::Status;
using ::leveldb::WriteOptions;

struct Less {
  using is_transparent = void;

  bool operator()(const Slice& a, const Slice& b) const {
    return comparator->Compare(a, b) < 0;
  }
  const leveldb::Comparator* comparator;
};

// Values are shared so that a copy of the map is cheap, however long they are.
using Entries = std::map<std::string, std::shared_ptr<const std::string>, Less>;

class ModelSnapshot final : public leveldb::Snapshot {
 public:
  ~ModelSnapshot() override = default;
};

struct Kept {
  std::unique_ptr<const ModelSnapshot> snapshot;
  std::shared_ptr<const Entries> entries;
};

// One entry of a batch; no value means a deletion.
struct Update {
  std::string key;
  std::optional<std::string> value;
};

class UpdateCollector : public leveldb::WriteBatch::Handler {
 public:
  void Put(const Slice& key, const Slice& value) override {
    updates_.push_back({key.ToString(), value.ToString()});
  }
  void Delete(const Slice& key) override {
    updates_.push_back({key.ToString(), std::nullopt});
  }
  std::vector<Update> TakeUpdates() { return std::move(updates_); }

 private:
  std::vector<Update> updates_;
};

Status Closed() { return Status::IOError("model", "closed"); }

}  // namespace

struct ModelDb::State {
  explicit State(const leveldb::Comparator* order)
      : comparator(order), entries(std::make_shared<Entries>(Less{order})) {}

  Status Apply(std::vector<Update> updates) ABSL_LOCKS_EXCLUDED(mutex);

  // The entries that a read with `options` sees.
  Status Read(const ReadOptions& options, std::shared_ptr<const Entries>* seen)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  Status Get(const ReadOptions& options, const Slice& key, std::string* value)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  const leveldb::Comparator* const comparator;
  absl::Mutex mutex;
  // Other holders only read, and let go under the mutex.
  std::shared_ptr<Entries> entries ABSL_GUARDED_BY(mutex);
  std::map<const leveldb::Snapshot*, Kept> snapshots ABSL_GUARDED_BY(mutex);
  DbStats stats ABSL_GUARDED_BY(mutex);
  bool closed ABSL_GUARDED_BY(mutex) = false;
};

Status ModelDb::State::Apply(std::vector<Update> updates) {
  absl::MutexLock lock(&mutex);
  if (closed) return Closed();
  if (stats.read_only) return Status::NotSupported("read-only");
  if (entries.use_count() > 1) entries = std::make_shared<Entries>(*entries);
  for (Update& update : updates) {
    stats.bytes_written += update.key.size();
    // Erased first: a key that the comparator calls equal may be other bytes.
    entries->erase(update.key);
    if (!update.value.has_value()) {
      ++stats.deletes;
      continue;
    }
    ++stats.puts;
    stats.bytes_written += update.value->size();
    entries->emplace(std::move(update.key), std::make_shared<const std::string>(
                                                *std::move(update.value)));
  }
  return Status::OK();
}

Status ModelDb::State::Read(const ReadOptions& options,
                            std::shared_ptr<const Entries>* seen) {
  if (closed) return Closed();
  if (options.snapshot == nullptr) {
    *seen = entries;
    return Status::OK();
  }
  const auto it = snapshots.find(options.snapshot);
  if (it == snapshots.end()) {
    return Status::InvalidArgument("not a snapshot of this database");
  }
  *seen = it->second.entries;
  return Status::OK();
}

Status ModelDb::State::Get(const ReadOptions& options, const Slice& key,
                           std::string* value) {
  std::shared_ptr<const Entries> seen;
  Status status = Read(options, &seen);
  if (!status.ok()) return status;
  ++stats.gets;
  const auto it = seen->find(key);
  if (it == seen->end()) return Status::NotFound("no such key");
  ++stats.gets_found;
  stats.bytes_read += it->second->size();
  *value = *it->second;
  return Status::OK();
}

// Walks the entries of one range, or of all, as they were.
class ModelDb::RangeIterator final : public leveldb::Iterator {
 public:
  RangeIterator(std::shared_ptr<State> state,
                std::shared_ptr<const Entries> entries,
                const leveldb::Range& range)
      : state_(std::move(state)), entries_(std::move(entries)) {
    begin_ = range.start.empty() ? entries_->begin()
                                 : entries_->lower_bound(range.start);
    end_ = range.limit.empty() ? entries_->end()
                               : entries_->lower_bound(range.limit);
    if (!range.start.empty() && !range.limit.empty() &&
        state_->comparator->Compare(range.start, range.limit) >= 0) {
      end_ = begin_;
    }
    at_ = end_;
  }

  ~RangeIterator() override {
    absl::MutexLock lock(&state_->mutex);
    entries_.reset();
    --state_->stats.open_iterators;
  }

  bool Valid() const override { return at_ != end_; }
  void SeekToFirst() override { at_ = begin_; }
  void SeekToLast() override {
    at_ = end_;
    Prev();
  }
  void Seek(const Slice& target) override {
    at_ = entries_->lower_bound(target);
    if (begin_ == end_ || Compare(target, begin_->first) < 0) {
      at_ = begin_;
    } else if (end_ != entries_->end() && Compare(target, end_->first) >= 0) {
      at_ = end_;
    }
  }
  void Next() override { ++at_; }
  void Prev() override { at_ = at_ == begin_ ? end_ : std::prev(at_); }
  Slice key() const override { return at_->first; }
  Slice value() const override { return *at_->second; }
  Status status() const override { return Status::OK(); }

 private:
  int Compare(const Slice& a, const Slice& b) const {
    return state_->comparator->Compare(a, b);
  }

  const std::shared_ptr<State> state_;
  std::shared_ptr<const Entries> entries_;
  Entries::const_iterator begin_;
  Entries::const_iterator end_;
  Entries::const_iterator at_;
};

ModelDb::ModelDb(const leveldb::Comparator* comparator)
    : state_(std::make_shared<State>(comparator)) {}

ModelDb::~ModelDb() {
  absl::MutexLock lock(&state_->mutex);
  assert(state_->stats.open_iterators == 0 &&
         "an iterator outlives its database");
  assert(state_->snapshots.empty() && "a snapshot outlives its database");
  state_->snapshots.clear();
}

Status ModelDb::Put(const WriteOptions&, const Slice& key, const Slice& value) {
  const Status status = CheckEntrySize(key, value);
  if (!status.ok()) return status;
  return state_->Apply({{key.ToString(), value.ToString()}});
}

Status ModelDb::Delete(const WriteOptions&, const Slice& key) {
  return state_->Apply({{key.ToString(), std::nullopt}});
}

Status ModelDb::Write(const WriteOptions&, leveldb::WriteBatch* updates) {
  if (updates == nullptr) return Status::InvalidArgument("no batch");
  UpdateCollector collector;
  Status status = updates->Iterate(&collector);
  if (!status.ok()) return status;
  return state_->Apply(collector.TakeUpdates());
}

Status ModelDb::Get(const ReadOptions& options, const Slice& key,
                    std::string* value) {
  if (value == nullptr)
    return Status::InvalidArgument("no place for the value");
  absl::MutexLock lock(&state_->mutex);
  return state_->Get(options, key, value);
}

Status ModelDb::Has(const ReadOptions& options, const Slice& key, bool* found) {
  if (found == nullptr) {
    return Status::InvalidArgument("no place for the answer");
  }
  absl::MutexLock lock(&state_->mutex);
  std::string value;
  const Status status = state_->Get(options, key, &value);
  *found = status.ok();
  return status.IsNotFound() ? Status::OK() : status;
}

std::vector<Status> ModelDb::MultiGet(const ReadOptions& options,
                                      absl::Span<const Slice> keys,
                                      std::vector<std::string>* values) {
  std::vector<Status> statuses(
      keys.size(), Status::InvalidArgument("no place for the values"));
  if (values == nullptr) return statuses;
  std::vector<std::string> found(keys.size());  // keys may show old values
  absl::MutexLock lock(&state_->mutex);
  for (size_t i = 0; i < keys.size(); ++i) {
    statuses[i] = state_->Get(options, keys[i], &found[i]);
  }
  *values = std::move(found);
  return statuses;
}

leveldb::Iterator* ModelDb::NewIterator(const ReadOptions& options) {
  return NewRangeIterator(options, leveldb::Range()).release();
}

std::unique_ptr<leveldb::Iterator> ModelDb::NewRangeIterator(
    const ReadOptions& options, const leveldb::Range& range) {
  absl::MutexLock lock(&state_->mutex);
  std::shared_ptr<const Entries> seen;
  Status status = state_->Read(options, &seen);
  if (!status.ok()) {
    return std::unique_ptr<leveldb::Iterator>(
        leveldb::NewErrorIterator(status));
  }
  ++state_->stats.open_iterators;
  return std::make_unique<RangeIterator>(state_, std::move(seen), range);
}

const leveldb::Snapshot* ModelDb::GetSnapshot() {
  absl::MutexLock lock(&state_->mutex);
  if (state_->closed) return nullptr;
  auto snapshot = std::make_unique<const ModelSnapshot>();
  const leveldb::Snapshot* result = snapshot.get();
  state_->snapshots[result] = {std::move(snapshot), state_->entries};
  return result;
}

void ModelDb::ReleaseSnapshot(const leveldb::Snapshot* snapshot) {
  absl::MutexLock lock(&state_->mutex);
  state_->snapshots.erase(snapshot);
}

bool ModelDb::GetProperty(const Slice& property, std::string* value) {
  absl::string_view name(property.data(), property.size());
  absl::MutexLock lock(&state_->mutex);
  if (state_->closed || value == nullptr) return false;
  const std::string count = absl::StrCat(state_->entries->size());
  if (name == "leveldb.stats" || name == "leveldb.sstables") {
    *value = absl::StrCat("a map with ", count, " entries\n");
    return true;
  }
  if (name == "leveldb.approximate-memory-usage") {
    *value = count;
    return true;
  }
  uint32_t level = 0;
  if (absl::ConsumePrefix(&name, "leveldb.num-files-at-level") &&
      absl::SimpleAtoi(name, &level) && level < 7) {
    *value = "0";
    return true;
  }
  return false;
}

void ModelDb::GetApproximateSizes(const leveldb::Range* range, int n,
                                  uint64_t* sizes) {
  absl::MutexLock lock(&state_->mutex);
  for (int i = 0; i < n; ++i) {
    sizes[i] = 0;
    if (state_->closed) continue;
    for (auto it = state_->entries->lower_bound(range[i].start);
         it != state_->entries->end() &&
         state_->comparator->Compare(it->first, range[i].limit) < 0;
         ++it) {
      sizes[i] += it->first.size() + it->second->size();
    }
  }
}

void ModelDb::CompactRange(const Slice*, const Slice*) {}

DbStats ModelDb::GetStats() {
  absl::MutexLock lock(&state_->mutex);
  DbStats stats = state_->stats;
  stats.shards = 1;
  stats.open_snapshots = state_->snapshots.size();
  return stats;
}

Status ModelDb::SetReadOnly(bool read_only) {
  absl::MutexLock lock(&state_->mutex);
  if (state_->closed) return Closed();
  state_->stats.read_only = read_only;
  return Status::OK();
}

Status ModelDb::Close() {
  absl::MutexLock lock(&state_->mutex);
  if (state_->stats.open_iterators > 0 || !state_->snapshots.empty()) {
    return Status::InvalidArgument("iterators or snapshots are open");
  }
  state_->closed = true;
  state_->entries->clear();
  return Status::OK();
}

const leveldb::Comparator* ModelDb::comparator() const {
  return state_->comparator;
}

std::vector<std::unique_ptr<DbHandle>> ModelShards(int count) {
  std::vector<std::unique_ptr<DbHandle>> shards;
  for (int i = 0; i < count; ++i) shards.push_back(std::make_unique<ModelDb>());
  return shards;
}

}  // namespace shardingdb
