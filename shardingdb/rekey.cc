// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/rekey.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "crypto/key_ring.h"
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/write_batch.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/rate_limiter.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/set_labels.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/shard_router.h"
#include "shardingdb/slice_view.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// Writers of a shard wait while a batch is compared with what is there.
constexpr size_t kBatchBytes = size_t{64} << 10;
constexpr size_t kBatchEntries = 256;

// How often a scan that finds nothing to do looks whether it is to stop.
constexpr uint64_t kEntriesBetweenLooks = 4096;

leveldb::ReadOptions ScanOptions() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  return options;
}

absl::Status AtKey(uint32_t shard, const leveldb::Slice& key,
                   const absl::Status& status) {
  return Annotate(status,
                  absl::StrCat("shard ", shard, ": key ", DescribeKey(key)));
}

// The key that the key check of a label is sealed with; 0 if there is none.
uint32_t KeyIdOfLabel(const leveldb::Slice& bytes) {
  const absl::StatusOr<ShardLabel> label = ParseShardLabel(View(bytes));
  return label.ok() ? KeyRing::KeyIdOf(label->key_check) : 0;
}

// Makes all that was written before durable: an empty batch does.
absl::Status SyncShards(ShardRouter* router) {
  leveldb::WriteOptions sync;
  sync.sync = true;
  leveldb::WriteBatch empty;
  return ToAbslStatus(router->Write(sync, &empty));
}

// Seals the key check of the label of `shard` anew if it needs it.
absl::Status RenewKeyCheck(ShardRouter* router, const Aead& aead,
                           uint32_t shard) {
  ShardRouter::Replacement replacement;
  replacement.key = ShardLabelKey().ToString();
  const leveldb::Status read = router->shard(shard)->Get(
      ScanOptions(), replacement.key, &replacement.expected);
  if (read.IsNotFound()) return absl::OkStatus();
  if (!read.ok()) return ToAbslStatus(read);
  absl::StatusOr<ShardLabel> label = ParseShardLabel(replacement.expected);
  if (!label.ok()) return label.status();
  if (label->key_check.empty() || !aead.NeedsReseal(label->key_check)) {
    return absl::OkStatus();
  }
  std::string opened;
  const absl::Status status =
      aead.Open(label->key_check, KeyCheckKey(), &opened);
  if (!status.ok()) return status;
  absl::StatusOr<std::string> check = SealKeyCheck(aead);
  if (!check.ok()) return check.status();
  label->key_check = *std::move(check);
  replacement.value = EncodeShardLabel(*label);
  size_t replaced = 0;
  return ToAbslStatus(router->ReplaceUnchanged(
      shard, absl::MakeConstSpan(&replacement, 1), &replaced));
}

class Rekeying {
 public:
  Rekeying(ShardRouter* router, const Aead& aead, const RekeyOptions& options)
      : router_(router),
        aead_(aead),
        options_(options),
        limiter_({options.bytes_per_second, options.stop, nullptr, nullptr}) {
    progress_.shard_count = router->shard_count();
  }

  absl::StatusOr<RekeyProgress> Run() {
    for (uint32_t shard = 0; shard < router_->shard_count(); ++shard) {
      progress_.shard = shard;
      absl::Status status = RekeyShard(shard);
      if (!status.ok()) return status;
      status = Annotate(RenewKeyCheck(router_, aead_, shard),
                        absl::StrCat("shard ", shard, ": its label"));
      if (!status.ok()) return status;
    }
    progress_.shard = progress_.shard_count;
    const absl::Status status = SyncShards(router_);
    if (!status.ok()) return status;
    Report();
    return progress_;
  }

 private:
  absl::Status RekeyShard(uint32_t shard);
  // Adds the entry to the batch if its value needs it.
  absl::Status Add(const leveldb::Slice& key, const leveldb::Slice& sealed);
  absl::Status WriteBatch();

  bool stopped() const {
    return options_.stop != nullptr &&
           options_.stop->load(std::memory_order_relaxed);
  }
  void Report() const {
    if (options_.on_progress != nullptr) options_.on_progress(progress_);
  }

  ShardRouter* const router_;
  const Aead& aead_;
  const RekeyOptions& options_;
  RateLimiter limiter_;
  RekeyProgress progress_;
  std::vector<ShardRouter::Replacement> batch_;
  size_t batch_bytes_ = 0;
};

absl::Status Rekeying::RekeyShard(uint32_t shard) {
  std::string last;  // the key before the next one
  for (bool first = true;; first = false) {
    // A new iterator for each batch: an old one keeps what it sees on disk.
    const std::unique_ptr<leveldb::Iterator> iterator(
        router_->shard(shard)->NewIterator(ScanOptions()));
    if (first) {
      iterator->SeekToFirst();
    } else {
      iterator->Seek(last);
      if (iterator->Valid() &&
          router_->comparator()->Compare(iterator->key(), last) == 0) {
        iterator->Next();
      }
    }
    while (iterator->Valid() && iterator->status().ok() &&
           batch_bytes_ < kBatchBytes && batch_.size() < kBatchEntries) {
      if (IsReservedKey(iterator->key())) {
        iterator->Next();
        continue;
      }
      if (++progress_.entries % kEntriesBetweenLooks == 0 && stopped()) break;
      const absl::Status status = Add(iterator->key(), iterator->value());
      if (!status.ok()) return AtKey(shard, iterator->key(), status);
      last.assign(iterator->key().data(), iterator->key().size());
      iterator->Next();
    }
    if (!iterator->status().ok()) {
      return Annotate(ToAbslStatus(iterator->status()),
                      absl::StrCat("shard ", shard));
    }
    if (stopped()) return absl::CancelledError("stopped");
    const bool at_end = !iterator->Valid();
    const absl::Status status = WriteBatch();
    if (!status.ok() || at_end) return status;
  }
}

absl::Status Rekeying::Add(const leveldb::Slice& key,
                           const leveldb::Slice& sealed) {
  if (IsReservedKey(key) || !aead_.NeedsReseal(View(sealed)))
    return absl::OkStatus();
  std::string value;
  absl::Status status = aead_.Open(View(sealed), View(key), &value);
  if (!status.ok()) return status;
  ShardRouter::Replacement replacement;
  status = aead_.Seal(value, View(key), &replacement.value);
  if (!status.ok()) return status;
  replacement.key.assign(key.data(), key.size());
  replacement.expected.assign(sealed.data(), sealed.size());
  batch_bytes_ += replacement.key.size() + replacement.value.size();
  batch_.push_back(std::move(replacement));
  return absl::OkStatus();
}

absl::Status Rekeying::WriteBatch() {
  if (batch_.empty()) return absl::OkStatus();
  limiter_.Take(batch_bytes_);
  if (stopped()) return absl::CancelledError("stopped");
  size_t replaced = 0;
  const leveldb::Status status =
      router_->ReplaceUnchanged(progress_.shard, batch_, &replaced);
  if (!status.ok()) return ToAbslStatus(status);
  progress_.resealed += replaced;
  progress_.bytes += batch_bytes_;
  batch_.clear();
  batch_bytes_ = 0;
  Report();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RekeyProgress> RekeyShards(ShardRouter* router, const Aead& aead,
                                          const RekeyOptions& options) {
  return Rekeying(router, aead, options).Run();
}

absl::Status CheckKeyUnusedInShards(ShardRouter* router, const Aead& aead,
                                    uint32_t key_id) {
  for (uint32_t shard = 0; shard < router->shard_count(); ++shard) {
    const std::unique_ptr<leveldb::Iterator> iterator(
        router->shard(shard)->NewIterator(ScanOptions()));
    bool label_uses_it = false;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      if (IsReservedKey(iterator->key())) {
        label_uses_it =
            label_uses_it || KeyIdOfLabel(iterator->value()) == key_id;
        continue;
      }
      if (KeyRing::KeyIdOf(View(iterator->value())) != key_id) continue;
      return AtKey(
          shard, iterator->key(),
          absl::FailedPreconditionError("its value is sealed with it"));
    }
    if (!iterator->status().ok()) {
      return Annotate(ToAbslStatus(iterator->status()),
                      absl::StrCat("shard ", shard));
    }
    if (!label_uses_it) continue;
    const absl::Status status = RenewKeyCheck(router, aead, shard);
    if (!status.ok()) {
      return Annotate(status, absl::StrCat("shard ", shard, ": its label"));
    }
  }
  // A power loss must not bring back what the values seen have replaced.
  return SyncShards(router);
}

}  // namespace shardingdb
