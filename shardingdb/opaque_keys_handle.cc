// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/opaque_keys_handle.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "leveldb/write_batch.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/entry_size.h"
#include "shardingdb/slice_view.h"

namespace shardingdb {
namespace {

constexpr size_t kSizeBytes = 4;

leveldb::Status NoOrder(absl::string_view what) {
  return leveldb::Status::NotSupported(absl::StrCat(
      what, ": the keys of this database are opaque and have no order"));
}

// What is stored: the size of the key (little endian), the key, the value.
void Join(const leveldb::Slice& key, const leveldb::Slice& value,
          std::string* stored) {
  stored->clear();
  stored->reserve(kSizeBytes + key.size() + value.size());
  for (size_t i = 0; i < kSizeBytes; ++i) {
    stored->push_back(static_cast<char>((key.size() >> (8 * i)) & 0xff));
  }
  stored->append(key.data(), key.size());
  stored->append(value.data(), value.size());
}

// The parts of what is stored, which they point into. False if it is not that.
bool Split(const leveldb::Slice& stored, leveldb::Slice* key,
           leveldb::Slice* value) {
  if (stored.size() < kSizeBytes) return false;
  size_t key_size = 0;
  for (size_t i = 0; i < kSizeBytes; ++i) {
    key_size |= size_t{static_cast<uint8_t>(stored[i])} << (8 * i);
  }
  if (key_size > stored.size() - kSizeBytes) return false;
  const char* const start = stored.data() + kSizeBytes;
  *key = leveldb::Slice(start, key_size);
  *value =
      leveldb::Slice(start + key_size, stored.size() - kSizeBytes - key_size);
  return true;
}

leveldb::Status NotItsKey(const leveldb::Slice& opaque) {
  return leveldb::Status::Corruption(
      absl::StrCat("the value of the opaque key ", DescribeKey(opaque),
                   " does not hold its key"));
}

// Replaces what was stored for `key` with its value.
leveldb::Status TakeValue(const leveldb::Slice& key,
                          const leveldb::Slice& opaque, std::string* stored) {
  leveldb::Slice stored_key;
  leveldb::Slice value;
  if (!Split(*stored, &stored_key, &value) || stored_key != key) {
    stored->clear();
    return NotItsKey(opaque);
  }
  stored->erase(0, stored->size() - value.size());
  return leveldb::Status::OK();
}

// Copies a batch with every entry under its opaque key.
class BatchHider : public leveldb::WriteBatch::Handler {
 public:
  BatchHider(const KeyPrf& key_prf, leveldb::WriteBatch* hidden)
      : key_prf_(key_prf), hidden_(hidden) {}

  void Put(const leveldb::Slice& key, const leveldb::Slice& value) override {
    Join(key, value, &buffer_);
    hidden_->Put(key_prf_.Compute(View(key)), buffer_);
  }
  void Delete(const leveldb::Slice& key) override {
    hidden_->Delete(key_prf_.Compute(View(key)));
  }

 private:
  const KeyPrf& key_prf_;
  leveldb::WriteBatch* const hidden_;
  std::string buffer_;
};

// Shows the keys and values that the entries of `base` hold.
class RevealingIterator final : public leveldb::Iterator {
 public:
  RevealingIterator(std::unique_ptr<leveldb::Iterator> base,
                    std::shared_ptr<const KeyPrf> key_prf)
      : base_(std::move(base)), key_prf_(std::move(key_prf)) {}

  bool Valid() const override { return valid_; }
  void SeekToFirst() override {
    failure_ = leveldb::Status::OK();
    base_->SeekToFirst();
    Reveal();
  }
  void SeekToLast() override {
    failure_ = leveldb::Status::OK();
    base_->SeekToLast();
    Reveal();
  }
  void Seek(const leveldb::Slice&) override {
    valid_ = false;
    failure_ = NoOrder("Seek");
  }
  void Next() override {
    base_->Next();
    Reveal();
  }
  void Prev() override {
    base_->Prev();
    Reveal();
  }
  leveldb::Slice key() const override { return key_; }
  leveldb::Slice value() const override { return value_; }
  leveldb::Status status() const override {
    return failure_.ok() ? base_->status() : failure_;
  }

 private:
  // Takes the entry at which `base_` is now. What `base_` shows stays where it
  // is until it moves.
  void Reveal() {
    valid_ = base_->Valid();
    if (!valid_) return;
    const leveldb::Slice stored = base_->value();
    valid_ = base_->Valid();  // false if the value does not open
    if (!valid_) return;
    if (!Split(stored, &key_, &value_) ||
        base_->key() != leveldb::Slice(key_prf_->Compute(View(key_)))) {
      valid_ = false;
      failure_ = NotItsKey(base_->key());
    }
  }

  const std::unique_ptr<leveldb::Iterator> base_;
  const std::shared_ptr<const KeyPrf> key_prf_;
  bool valid_ = false;
  leveldb::Slice key_;
  leveldb::Slice value_;
  leveldb::Status failure_;
};

class OpaqueKeysAead final : public Aead {
 public:
  OpaqueKeysAead(std::shared_ptr<const Aead> aead,
                 std::shared_ptr<const KeyPrf> key_prf)
      : aead_(std::move(aead)), key_prf_(std::move(key_prf)) {}

  absl::Status Seal(absl::string_view plaintext, absl::string_view opaque_key,
                    std::string* sealed) const override {
    return aead_->Seal(plaintext, key_prf_->Binding(opaque_key), sealed);
  }
  absl::Status Open(absl::string_view sealed, absl::string_view opaque_key,
                    std::string* plaintext) const override {
    return aead_->Open(sealed, key_prf_->Binding(opaque_key), plaintext);
  }
  bool NeedsReseal(absl::string_view sealed) const override {
    return aead_->NeedsReseal(sealed);
  }

 private:
  const std::shared_ptr<const Aead> aead_;
  const std::shared_ptr<const KeyPrf> key_prf_;
};

}  // namespace

std::shared_ptr<const Aead> AeadForOpaqueKeys(
    std::shared_ptr<const Aead> aead, std::shared_ptr<const KeyPrf> key_prf) {
  return std::make_shared<OpaqueKeysAead>(std::move(aead), std::move(key_prf));
}

absl::Status CheckOrderForOpaqueKeys(const leveldb::Comparator* comparator) {
  if (comparator == leveldb::BytewiseComparator()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("opaque keys need LevelDB's own comparator, and the "
                   "shards have \"",
                   comparator->Name(), "\""));
}

absl::StatusOr<std::unique_ptr<OpaqueKeysHandle>> OpaqueKeysHandle::New(
    std::unique_ptr<DbHandle> base, std::shared_ptr<const KeyPrf> key_prf) {
  if (base == nullptr)
    return absl::InvalidArgumentError(
        "the handle below the opaque keys is null");
  if (key_prf == nullptr)
    return absl::InvalidArgumentError("the KeyPrf for opaque keys is null");
  const absl::Status order = CheckOrderForOpaqueKeys(base->comparator());
  if (!order.ok()) return order;
  return std::unique_ptr<OpaqueKeysHandle>(
      new OpaqueKeysHandle(std::move(base), std::move(key_prf)));
}

OpaqueKeysHandle::OpaqueKeysHandle(std::unique_ptr<DbHandle> base,
                                   std::shared_ptr<const KeyPrf> key_prf)
    : base_(std::move(base)), key_prf_(std::move(key_prf)) {}

leveldb::Status OpaqueKeysHandle::Put(const leveldb::WriteOptions& options,
                                      const leveldb::Slice& key,
                                      const leveldb::Slice& value) {
  const leveldb::Status status = CheckEntrySize(key, value);
  if (!status.ok()) return status;
  std::string stored;
  Join(key, value, &stored);
  return base_->Put(options, key_prf_->Compute(View(key)), stored);
}

leveldb::Status OpaqueKeysHandle::Delete(const leveldb::WriteOptions& options,
                                         const leveldb::Slice& key) {
  return base_->Delete(options, key_prf_->Compute(View(key)));
}

leveldb::Status OpaqueKeysHandle::Write(const leveldb::WriteOptions& options,
                                        leveldb::WriteBatch* updates) {
  if (updates == nullptr)
    return leveldb::Status::InvalidArgument("the batch is null");
  leveldb::WriteBatch hidden;
  BatchHider hider(*key_prf_, &hidden);
  const leveldb::Status status = updates->Iterate(&hider);
  return status.ok() ? base_->Write(options, &hidden) : status;
}

leveldb::Status OpaqueKeysHandle::Get(const leveldb::ReadOptions& options,
                                      const leveldb::Slice& key,
                                      std::string* value) {
  if (value == nullptr)
    return leveldb::Status::InvalidArgument("the place for the value is null");
  const std::string opaque = key_prf_->Compute(View(key));
  std::string stored;  // apart from *value, which the key may point into
  leveldb::Status status = base_->Get(options, opaque, &stored);
  if (!status.ok()) return status;
  status = TakeValue(key, opaque, &stored);
  *value = std::move(stored);
  return status;
}

leveldb::Status OpaqueKeysHandle::Has(const leveldb::ReadOptions& options,
                                      const leveldb::Slice& key, bool* found) {
  return base_->Has(options, key_prf_->Compute(View(key)), found);
}

std::vector<leveldb::Status> OpaqueKeysHandle::MultiGet(
    const leveldb::ReadOptions& options, absl::Span<const leveldb::Slice> keys,
    std::vector<std::string>* values) {
  std::vector<std::string> opaque;
  opaque.reserve(keys.size());
  for (const leveldb::Slice& key : keys)
    opaque.push_back(key_prf_->Compute(View(key)));
  const std::vector<leveldb::Slice> slices(opaque.begin(), opaque.end());
  std::vector<std::string> found;
  std::vector<leveldb::Status> statuses =
      base_->MultiGet(options, slices, values == nullptr ? nullptr : &found);
  if (values == nullptr) return statuses;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (statuses[i].ok())
      statuses[i] = TakeValue(keys[i], opaque[i], &found[i]);
  }
  *values = std::move(found);
  return statuses;
}

leveldb::Iterator* OpaqueKeysHandle::NewIterator(
    const leveldb::ReadOptions& options) {
  return new RevealingIterator(
      std::unique_ptr<leveldb::Iterator>(base_->NewIterator(options)),
      key_prf_);
}

std::unique_ptr<leveldb::Iterator> OpaqueKeysHandle::NewRangeIterator(
    const leveldb::ReadOptions& options, const leveldb::Range& range) {
  if (range.start.empty() && range.limit.empty())
    return std::unique_ptr<leveldb::Iterator>(NewIterator(options));
  return std::unique_ptr<leveldb::Iterator>(
      leveldb::NewErrorIterator(NoOrder("NewRangeIterator")));
}

const leveldb::Snapshot* OpaqueKeysHandle::GetSnapshot() {
  return base_->GetSnapshot();
}

void OpaqueKeysHandle::ReleaseSnapshot(const leveldb::Snapshot* snapshot) {
  base_->ReleaseSnapshot(snapshot);
}

bool OpaqueKeysHandle::GetProperty(const leveldb::Slice& property,
                                   std::string* value) {
  return base_->GetProperty(property, value);
}

void OpaqueKeysHandle::GetApproximateSizes(const leveldb::Range*, int n,
                                           uint64_t* sizes) {
  std::fill_n(sizes, std::max(n, 0), 0);
}

void OpaqueKeysHandle::CompactRange(const leveldb::Slice*,
                                    const leveldb::Slice*) {
  base_->CompactRange(nullptr, nullptr);
}

DbStats OpaqueKeysHandle::GetStats() { return base_->GetStats(); }

leveldb::Status OpaqueKeysHandle::SetReadOnly(bool read_only) {
  return base_->SetReadOnly(read_only);
}

leveldb::Status OpaqueKeysHandle::Close() { return base_->Close(); }

const leveldb::Comparator* OpaqueKeysHandle::comparator() const {
  return base_->comparator();
}

}  // namespace shardingdb
