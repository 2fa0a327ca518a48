// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The reading half of ShardRouter.

#include <cassert>
#include <optional>
#include <utility>

#include "shardingdb/batch_splitter.h"
#include "shardingdb/merging_iterator.h"
#include "shardingdb/range_iterator.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/router_snapshot.h"
#include "shardingdb/shard_router.h"

namespace shardingdb {
namespace {

// As LevelDB has it.
leveldb::Status NoSuchKey() {
  return leveldb::Status::NotFound(leveldb::Slice());
}

}  // namespace

leveldb::Status ShardRouter::FoundAtShard(const leveldb::Status& status,
                                          uint32_t shard) {
  return status.IsNotFound() ? status : AtShard(status, shard);
}

// One point of the order of writes in some shards: a snapshot of each, released
// with the Cut unless it is the caller's.
class ShardRouter::Cut {
 public:
  // The point of `snapshot` (checked by the caller), or a new one where that is
  // null.
  Cut(ShardRouter* router, absl::Span<const uint32_t> shards,
      const leveldb::Snapshot* snapshot)
      : router_(router),
        shards_(shards),
        taken_(snapshot == nullptr),
        parts_(shards.size()) {
    if (!taken_) {
      for (size_t i = 0; i < shards.size(); ++i)
        parts_[i] =
            static_cast<const RouterSnapshot*>(snapshot)->part(shards[i]);
      return;
    }
    router->AtOnePoint(shards, [this](size_t i) {
      parts_[i] = router_->shards_[shards_[i]]->GetSnapshot();
    });
  }
  Cut(const Cut&) = delete;
  Cut& operator=(const Cut&) = delete;
  ~Cut() {
    if (!taken_) return;
    for (size_t i = 0; i < parts_.size(); ++i)
      router_->shards_[shards_[i]]->ReleaseSnapshot(parts_[i]);
  }

  // `options` for reading the i-th shard at this point.
  leveldb::ReadOptions At(size_t i, leveldb::ReadOptions options) const {
    options.snapshot = parts_[i];
    return options;
  }

  // Hands the snapshots over to the caller, who releases them.
  std::vector<const leveldb::Snapshot*> TakeParts() {
    taken_ = false;
    return std::move(parts_);
  }

 private:
  ShardRouter* const router_;
  const absl::Span<const uint32_t> shards_;
  bool taken_;
  std::vector<const leveldb::Snapshot*> parts_;
};

const leveldb::Snapshot* ShardRouter::GetSnapshot() {
  if (closed_.load(std::memory_order_relaxed)) return nullptr;
  Cut cut(this, all_shards_, nullptr);
  open_->snapshots.fetch_add(1, std::memory_order_relaxed);
  return new RouterSnapshot(this, cut.TakeParts());
}

void ShardRouter::ReleaseSnapshot(const leveldb::Snapshot* snapshot) {
  if (snapshot == nullptr) return;
  const RouterSnapshot* const own = RouterSnapshot::Of(snapshot, this);
  assert(own != nullptr && "a snapshot of another database is released");
  if (own == nullptr) return;
  for (uint32_t shard = 0; shard < shard_count(); ++shard)
    shards_[shard]->ReleaseSnapshot(own->part(shard));
  open_->snapshots.fetch_sub(1, std::memory_order_relaxed);
  delete own;
}

leveldb::Status ShardRouter::CheckSnapshot(
    const leveldb::Snapshot* snapshot) const {
  if (closed_.load(std::memory_order_relaxed)) return Closed();
  if (snapshot != nullptr && RouterSnapshot::Of(snapshot, this) == nullptr) {
    return leveldb::Status::InvalidArgument(
        "the snapshot belongs to another database");
  }
  return leveldb::Status::OK();
}

leveldb::Status ShardRouter::PrepareRead(const leveldb::ReadOptions& options,
                                         const leveldb::Slice& key,
                                         uint32_t* shard,
                                         leveldb::ReadOptions* read) {
  leveldb::Status status = CheckSnapshot(options.snapshot);
  if (status.ok() && reserved_.Hide(key)) status = NoSuchKey();
  if (status.ok()) status = Locate(*function_, key, shard_count(), shard);
  if (!status.ok()) return status;
  *read = options;
  if (options.snapshot != nullptr) {
    read->snapshot =
        static_cast<const RouterSnapshot*>(options.snapshot)->part(*shard);
  } else {
    queues_[*shard]->AwaitAnnounced();
  }
  return AtShard(queues_[*shard]->CheckNotBehind(), *shard);
}

leveldb::Status ShardRouter::Get(const leveldb::ReadOptions& options,
                                 const leveldb::Slice& key,
                                 std::string* value) {
  if (value == nullptr)
    return leveldb::Status::InvalidArgument("the place for the value is null");
  uint32_t shard;
  leveldb::ReadOptions read;
  const leveldb::Status status = PrepareRead(options, key, &shard, &read);
  return status.ok()
             ? FoundAtShard(shards_[shard]->Get(read, key, value), shard)
             : status;
}

leveldb::Status ShardRouter::Has(const leveldb::ReadOptions& options,
                                 const leveldb::Slice& key, bool* found) {
  if (found == nullptr)
    return leveldb::Status::InvalidArgument("the place for the answer is null");
  *found = false;
  uint32_t shard;
  leveldb::ReadOptions read;
  const leveldb::Status status = PrepareRead(options, key, &shard, &read);
  if (status.IsNotFound()) return leveldb::Status::OK();
  return status.ok()
             ? FoundAtShard(shards_[shard]->Has(read, key, found), shard)
             : status;
}

std::vector<leveldb::Status> ShardRouter::MultiGet(
    const leveldb::ReadOptions& options, absl::Span<const leveldb::Slice> keys,
    std::vector<std::string>* values) {
  std::vector<leveldb::Status> statuses(keys.size());
  leveldb::Status status =
      values == nullptr
          ? leveldb::Status::InvalidArgument("the place for the values is null")
          : CheckSnapshot(options.snapshot);
  // Apart from `*values`, which the keys may point into.
  std::vector<std::string> found(keys.size());
  if (!status.ok()) {
    statuses.assign(keys.size(), status);
    if (values != nullptr) *values = std::move(found);
    return statuses;
  }

  // Which of `keys` each shard is asked for; shards in the order of their first
  // key.
  std::vector<uint32_t> shards;
  std::vector<std::vector<size_t>> asked;
  std::vector<uint32_t> index(shard_count(), kMaxShards);
  for (size_t i = 0; i < keys.size(); ++i) {
    uint32_t shard;
    statuses[i] = reserved_.Hide(keys[i])
                      ? NoSuchKey()
                      : Locate(*function_, keys[i], shard_count(), &shard);
    if (!statuses[i].ok()) continue;
    if (index[shard] == kMaxShards) {
      index[shard] = static_cast<uint32_t>(shards.size());
      shards.push_back(shard);
      asked.emplace_back();
    }
    asked[index[shard]].push_back(i);
  }
  if (shards.empty()) {
    *values = std::move(found);
    return statuses;
  }

  const Cut cut(this, shards, options.snapshot);
  status = CheckNoneBehind(shards);
  if (!status.ok()) {
    statuses.assign(keys.size(), status);
    *values = std::move(found);
    return statuses;
  }
  std::vector<leveldb::Slice> shard_keys;
  std::vector<std::string> shard_values;
  for (size_t s = 0; s < shards.size(); ++s) {
    shard_keys.clear();
    for (size_t i : asked[s]) shard_keys.push_back(keys[i]);
    const std::vector<leveldb::Status> answers = shards_[shards[s]]->MultiGet(
        cut.At(s, options), shard_keys, &shard_values);
    for (size_t k = 0; k < asked[s].size(); ++k) {
      statuses[asked[s][k]] = FoundAtShard(answers[k], shards[s]);
      found[asked[s][k]] = std::move(shard_values[k]);
    }
  }
  *values = std::move(found);
  return statuses;
}

std::unique_ptr<leveldb::Iterator> ShardRouter::CountIterator(
    std::unique_ptr<leveldb::Iterator> iterator) {
  open_->iterators.fetch_add(1, std::memory_order_relaxed);
  iterator->RegisterCleanup(
      [](void* open, void*) {
        auto* counts = static_cast<std::shared_ptr<OpenCounts>*>(open);
        (*counts)->iterators.fetch_sub(1, std::memory_order_relaxed);
        delete counts;
      },
      new std::shared_ptr<OpenCounts>(open_), nullptr);
  return iterator;
}

std::unique_ptr<leveldb::Iterator> ShardRouter::NewMergedIterator(
    const leveldb::ReadOptions& options) {
  leveldb::Status status = CheckSnapshot(options.snapshot);
  if (!status.ok())
    return std::unique_ptr<leveldb::Iterator>(
        leveldb::NewErrorIterator(status));
  const Cut cut(this, all_shards_, options.snapshot);
  std::vector<std::unique_ptr<leveldb::Iterator>> children;
  children.reserve(shards_.size());
  for (uint32_t shard = 0; shard < shard_count(); ++shard) {
    children.emplace_back(shards_[shard]->NewIterator(cut.At(shard, options)));
  }
  status = CheckNoneBehind(all_shards_);
  if (!status.ok())
    return std::unique_ptr<leveldb::Iterator>(
        leveldb::NewErrorIterator(status));
  return NewMergingIterator(comparator_, std::move(children));
}

leveldb::Iterator* ShardRouter::NewIterator(
    const leveldb::ReadOptions& options) {
  return CountIterator(NewMergedIterator(options)).release();
}

std::unique_ptr<leveldb::Iterator> ShardRouter::NewRangeIterator(
    const leveldb::ReadOptions& options, const leveldb::Range& range) {
  const std::optional<uint32_t> only =
      comparator_ == leveldb::BytewiseComparator()
          ? function_->ShardOfRange(range, shard_count())
          : std::nullopt;
  if (!only.has_value() || *only >= shard_count() ||
      closed_.load(std::memory_order_relaxed)) {
    return CountIterator(
        NewBoundedIterator(NewMergedIterator(options), comparator_, range));
  }
  leveldb::Status status = CheckSnapshot(options.snapshot);
  if (!status.ok()) {
    return CountIterator(
        std::unique_ptr<leveldb::Iterator>(leveldb::NewErrorIterator(status)));
  }
  leveldb::ReadOptions read = options;
  if (options.snapshot != nullptr) {
    read.snapshot =
        static_cast<const RouterSnapshot*>(options.snapshot)->part(*only);
  } else {
    queues_[*only]->AwaitAnnounced();
  }
  status = CheckNoneBehind(absl::MakeConstSpan(&*only, 1));
  if (!status.ok()) {
    return CountIterator(
        std::unique_ptr<leveldb::Iterator>(leveldb::NewErrorIterator(status)));
  }
  std::vector<std::unique_ptr<leveldb::Iterator>> child;
  child.emplace_back(shards_[*only]->NewIterator(read));
  return CountIterator(NewBoundedIterator(
      NewMergingIterator(comparator_, std::move(child), *only), comparator_,
      range));
}

}  // namespace shardingdb
