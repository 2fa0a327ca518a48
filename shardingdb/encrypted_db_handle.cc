// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/encrypted_db_handle.h"

#include <cstddef>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "leveldb/write_batch.h"
#include "shardingdb/lent_to_thread.h"
#include "shardingdb/opening_iterator.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/slice_view.h"

namespace shardingdb {
namespace {

// Whether `slice` shows bytes of `text`, which may be about to change.
bool PointsInto(const leveldb::Slice& slice, const std::string& text) {
  const std::less_equal<const char*> at_or_before;
  return at_or_before(text.data(), slice.data()) &&
         at_or_before(slice.data(), text.data() + text.size());
}

// Where a batch's values are sealed, one after the other.
struct SealedBatch {
  // A batch that has grown beyond this is given back, so that many threads do
  // not keep their largest one.
  static constexpr size_t kKeptBytes = size_t{64} << 10;

  void Clear() {
    if (batch.ApproximateSize() > kKeptBytes) {
      *this = SealedBatch();
    } else {
      batch.Clear();
    }
  }

  leveldb::WriteBatch batch;
  std::string value;  // one value's sealed bytes
};

// Copies a batch with every value sealed.
class BatchSealer : public leveldb::WriteBatch::Handler {
 public:
  BatchSealer(const ValueSealer& sealer, SealedBatch* sealed)
      : sealer_(sealer), sealed_(sealed) {}

  void Put(const leveldb::Slice& key, const leveldb::Slice& value) override {
    if (status_.ok()) status_ = sealer_.Seal(key, value, &sealed_->value);
    if (status_.ok()) sealed_->batch.Put(key, sealed_->value);
  }
  void Delete(const leveldb::Slice& key) override {
    sealed_->batch.Delete(key);
  }

  const leveldb::Status& status() const { return status_; }

 private:
  const ValueSealer& sealer_;
  SealedBatch* const sealed_;
  leveldb::Status status_;
};

}  // namespace

absl::Status CheckValuesOpen(DbHandle* handle, const Aead& aead) {
  constexpr int kSample = 8;
  leveldb::ReadOptions options;
  options.fill_cache = false;
  const std::unique_ptr<leveldb::Iterator> iterator(
      handle->NewIterator(options));
  absl::Status first;
  std::string value;
  iterator->SeekToFirst();
  for (int i = 0; i < kSample && iterator->Valid(); ++i, iterator->Next()) {
    if (IsReservedKey(iterator->key())) continue;
    const absl::Status status =
        aead.Open(View(iterator->value()), View(iterator->key()), &value);
    if (!absl::IsDataLoss(status)) return absl::OkStatus();
    first.Update(status);
  }
  // An error of reading says nothing about keys, and is for the reads that meet
  // it.
  if (first.ok() || !iterator->status().ok()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the values do not open: another key, or values that are not sealed, or "
      "stored in another form (the first: ",
      first.message(), ")"));
}

absl::StatusOr<std::unique_ptr<EncryptedDbHandle>> EncryptedDbHandle::New(
    std::unique_ptr<DbHandle> base, std::shared_ptr<const Aead> aead,
    ValueSealer::Locate locate) {
  if (base == nullptr)
    return absl::InvalidArgumentError(
        "the handle below the encryption is null");
  if (aead == nullptr)
    return absl::InvalidArgumentError("the Aead for encryption is null");
  return std::unique_ptr<EncryptedDbHandle>(new EncryptedDbHandle(
      std::move(base),
      std::make_shared<const ValueSealer>(std::move(aead), std::move(locate))));
}

EncryptedDbHandle::EncryptedDbHandle(std::unique_ptr<DbHandle> base,
                                     std::shared_ptr<const ValueSealer> sealer)
    : base_(std::move(base)), sealer_(std::move(sealer)) {}

leveldb::Status EncryptedDbHandle::Put(const leveldb::WriteOptions& options,
                                       const leveldb::Slice& key,
                                       const leveldb::Slice& value) {
  const GracePeriod::Operation operation(&writes_);
  std::string sealed;
  const leveldb::Status status = sealer_->Seal(key, value, &sealed);
  return status.ok() ? base_->Put(options, key, sealed) : status;
}

leveldb::Status EncryptedDbHandle::Delete(const leveldb::WriteOptions& options,
                                          const leveldb::Slice& key) {
  return base_->Delete(options, key);
}

leveldb::Status EncryptedDbHandle::Write(const leveldb::WriteOptions& options,
                                         leveldb::WriteBatch* updates) {
  if (updates == nullptr)
    return leveldb::Status::InvalidArgument("the batch is null");
  const GracePeriod::Operation operation(&writes_);
  LentToThread<SealedBatch> sealed;
  BatchSealer sealer(*sealer_, &*sealed);
  leveldb::Status status = updates->Iterate(&sealer);
  if (status.ok()) status = sealer.status();
  return status.ok() ? base_->Write(options, &sealed->batch) : status;
}

leveldb::Status EncryptedDbHandle::Get(const leveldb::ReadOptions& options,
                                       const leveldb::Slice& key,
                                       std::string* value) {
  if (value == nullptr)
    return leveldb::Status::InvalidArgument("the place for the value is null");
  std::string sealed;
  const leveldb::Status status = base_->Get(options, key, &sealed);
  if (!status.ok()) return status;
  if (!PointsInto(key, *value)) return sealer_->Open(key, sealed, value);
  return sealer_->Open(key.ToString(), sealed, value);
}

std::vector<leveldb::Status> EncryptedDbHandle::MultiGet(
    const leveldb::ReadOptions& options, absl::Span<const leveldb::Slice> keys,
    std::vector<std::string>* values) {
  // Apart from `*values`, which the keys may point into.
  std::vector<std::string> found;
  std::vector<leveldb::Status> statuses =
      base_->MultiGet(options, keys, values == nullptr ? nullptr : &found);
  if (values == nullptr) return statuses;
  std::string sealed;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!statuses[i].ok()) continue;
    sealed.swap(found[i]);
    statuses[i] = sealer_->Open(keys[i], sealed, &found[i]);
  }
  *values = std::move(found);
  return statuses;
}

leveldb::Status EncryptedDbHandle::Has(const leveldb::ReadOptions& options,
                                       const leveldb::Slice& key, bool* found) {
  return base_->Has(options, key, found);
}

std::unique_ptr<leveldb::Iterator> EncryptedDbHandle::OpenValues(
    std::unique_ptr<leveldb::Iterator> sealed) const {
  return NewOpeningIterator(std::move(sealed), sealer_);
}

leveldb::Iterator* EncryptedDbHandle::NewIterator(
    const leveldb::ReadOptions& options) {
  return OpenValues(
             std::unique_ptr<leveldb::Iterator>(base_->NewIterator(options)))
      .release();
}

std::unique_ptr<leveldb::Iterator> EncryptedDbHandle::NewRangeIterator(
    const leveldb::ReadOptions& options, const leveldb::Range& range) {
  return OpenValues(base_->NewRangeIterator(options, range));
}

const leveldb::Snapshot* EncryptedDbHandle::GetSnapshot() {
  return base_->GetSnapshot();
}

void EncryptedDbHandle::ReleaseSnapshot(const leveldb::Snapshot* snapshot) {
  base_->ReleaseSnapshot(snapshot);
}

bool EncryptedDbHandle::GetProperty(const leveldb::Slice& property,
                                    std::string* value) {
  return base_->GetProperty(property, value);
}

void EncryptedDbHandle::GetApproximateSizes(const leveldb::Range* range, int n,
                                            uint64_t* sizes) {
  base_->GetApproximateSizes(range, n, sizes);
}

void EncryptedDbHandle::CompactRange(const leveldb::Slice* begin,
                                     const leveldb::Slice* end) {
  base_->CompactRange(begin, end);
}

DbStats EncryptedDbHandle::GetStats() { return base_->GetStats(); }

leveldb::Status EncryptedDbHandle::SetReadOnly(bool read_only) {
  return base_->SetReadOnly(read_only);
}

leveldb::Status EncryptedDbHandle::Close() { return base_->Close(); }

const leveldb::Comparator* EncryptedDbHandle::comparator() const {
  return base_->comparator();
}

}  // namespace shardingdb
