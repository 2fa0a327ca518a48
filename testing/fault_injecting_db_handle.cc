// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/fault_injecting_db_handle.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"

namespace shardingdb {

using ::leveldb::Iterator;
using ::leveldb::ReadOptions;
using ::leveldb::Slice;
using ::leveldb::Status;
using ::leveldb::WriteOptions;

int DbFaults::Add(DbFault fault) {
  absl::MutexLock lock(&mutex_);
  faults_.push_back({std::move(fault)});
  return static_cast<int>(faults_.size()) - 1;
}

void DbFaults::Remove(int number) {
  absl::MutexLock lock(&mutex_);
  faults_.at(number).removed = true;
}

void DbFaults::RemoveAll() {
  absl::MutexLock lock(&mutex_);
  for (ActiveFault& fault : faults_) fault.removed = true;
}

uint64_t DbFaults::Failures(int number) const {
  absl::MutexLock lock(&mutex_);
  return faults_.at(number).failures;
}

uint64_t DbFaults::Calls(DbCall call) const {
  absl::MutexLock lock(&mutex_);
  const auto count = calls_.find(call);
  return count == calls_.end() ? 0 : count->second;
}

void DbFaults::SetObserver(std::function<void(DbCall)> observer) {
  observer_ = std::move(observer);
}

void DbFaults::Note(DbCall call) {
  if (observer_) observer_(call);
  absl::MutexLock lock(&mutex_);
  ++calls_[call];
}

Status DbFaults::Check(DbCall call, bool* performed) {
  Note(call);
  absl::MutexLock lock(&mutex_);
  for (ActiveFault& active : faults_) {
    const DbFault& fault = active.fault;
    if (active.removed) continue;
    if (!fault.calls.empty() && fault.calls.count(call) == 0) continue;
    if (active.matches++ < fault.skip || active.failures >= fault.count) {
      continue;
    }
    ++active.failures;
    *performed = fault.performed;
    return fault.status;
  }
  return Status::OK();
}

class FaultInjectingDbHandle::FaultyIterator final : public Iterator {
 public:
  FaultyIterator(std::unique_ptr<Iterator> base,
                 std::shared_ptr<DbFaults> faults)
      : base_(std::move(base)), faults_(std::move(faults)) {}

  bool Valid() const override { return fault_.ok() && base_->Valid(); }
  void SeekToFirst() override {
    if (MayStep()) base_->SeekToFirst();
  }
  void SeekToLast() override {
    if (MayStep()) base_->SeekToLast();
  }
  void Seek(const Slice& target) override {
    if (MayStep()) base_->Seek(target);
  }
  void Next() override {
    if (MayStep()) base_->Next();
  }
  void Prev() override {
    if (MayStep()) base_->Prev();
  }
  Slice key() const override { return base_->key(); }
  Slice value() const override { return base_->value(); }
  Status status() const override {
    return fault_.ok() ? base_->status() : fault_;
  }

 private:
  bool MayStep() {
    bool performed = false;
    if (fault_.ok()) fault_ = faults_->Check(DbCall::kIteratorStep, &performed);
    return fault_.ok();
  }

  const std::unique_ptr<Iterator> base_;
  const std::shared_ptr<DbFaults> faults_;
  Status fault_;
};

FaultInjectingDbHandle::FaultInjectingDbHandle(std::unique_ptr<DbHandle> base,
                                               std::shared_ptr<DbFaults> faults)
    : base_(std::move(base)), faults_(std::move(faults)) {}

FaultInjectingDbHandle::~FaultInjectingDbHandle() = default;

Status FaultInjectingDbHandle::Perform(DbCall call,
                                       const std::function<Status()>& perform) {
  bool performed = false;
  Status fault = faults_->Check(call, &performed);
  if (fault.ok()) return perform();
  if (performed) {
    Status status = perform();
    if (!status.ok()) return status;
  }
  return fault;
}

std::unique_ptr<Iterator> FaultInjectingDbHandle::NewFaultyIterator(
    DbCall call, const std::function<Iterator*()>& make) {
  bool performed = false;
  Status fault = faults_->Check(call, &performed);
  if (!fault.ok()) {
    return std::unique_ptr<Iterator>(leveldb::NewErrorIterator(fault));
  }
  return std::make_unique<FaultyIterator>(std::unique_ptr<Iterator>(make()),
                                          faults_);
}

Status FaultInjectingDbHandle::Put(const WriteOptions& options,
                                   const Slice& key, const Slice& value) {
  return Perform(DbCall::kPut, [&] { return base_->Put(options, key, value); });
}

Status FaultInjectingDbHandle::Delete(const WriteOptions& options,
                                      const Slice& key) {
  return Perform(DbCall::kDelete, [&] { return base_->Delete(options, key); });
}

Status FaultInjectingDbHandle::Write(const WriteOptions& options,
                                     leveldb::WriteBatch* updates) {
  return Perform(DbCall::kWrite,
                 [&] { return base_->Write(options, updates); });
}

Status FaultInjectingDbHandle::Get(const ReadOptions& options, const Slice& key,
                                   std::string* value) {
  return Perform(DbCall::kGet, [&] { return base_->Get(options, key, value); });
}

Status FaultInjectingDbHandle::Has(const ReadOptions& options, const Slice& key,
                                   bool* found) {
  const Status status =
      Perform(DbCall::kHas, [&] { return base_->Has(options, key, found); });
  if (!status.ok() && found != nullptr) *found = false;
  return status;
}

std::vector<Status> FaultInjectingDbHandle::MultiGet(
    const ReadOptions& options, absl::Span<const Slice> keys,
    std::vector<std::string>* values) {
  bool performed = false;
  Status fault = faults_->Check(DbCall::kMultiGet, &performed);
  if (fault.ok()) return base_->MultiGet(options, keys, values);
  if (values != nullptr) values->assign(keys.size(), "");
  return std::vector<Status>(keys.size(), fault);
}

Iterator* FaultInjectingDbHandle::NewIterator(const ReadOptions& options) {
  return NewFaultyIterator(DbCall::kNewIterator,
                           [&] { return base_->NewIterator(options); })
      .release();
}

std::unique_ptr<Iterator> FaultInjectingDbHandle::NewRangeIterator(
    const ReadOptions& options, const leveldb::Range& range) {
  return NewFaultyIterator(DbCall::kNewRangeIterator, [&] {
    return base_->NewRangeIterator(options, range).release();
  });
}

const leveldb::Snapshot* FaultInjectingDbHandle::GetSnapshot() {
  faults_->Note(DbCall::kGetSnapshot);
  return base_->GetSnapshot();
}

void FaultInjectingDbHandle::ReleaseSnapshot(
    const leveldb::Snapshot* snapshot) {
  faults_->Note(DbCall::kReleaseSnapshot);
  base_->ReleaseSnapshot(snapshot);
}

bool FaultInjectingDbHandle::GetProperty(const Slice& property,
                                         std::string* value) {
  faults_->Note(DbCall::kGetProperty);
  return base_->GetProperty(property, value);
}

void FaultInjectingDbHandle::GetApproximateSizes(const leveldb::Range* range,
                                                 int n, uint64_t* sizes) {
  faults_->Note(DbCall::kGetApproximateSizes);
  base_->GetApproximateSizes(range, n, sizes);
}

void FaultInjectingDbHandle::CompactRange(const Slice* begin,
                                          const Slice* end) {
  faults_->Note(DbCall::kCompactRange);
  base_->CompactRange(begin, end);
}

DbStats FaultInjectingDbHandle::GetStats() {
  faults_->Note(DbCall::kGetStats);
  return base_->GetStats();
}

Status FaultInjectingDbHandle::SetReadOnly(bool read_only) {
  return Perform(DbCall::kSetReadOnly,
                 [&] { return base_->SetReadOnly(read_only); });
}

Status FaultInjectingDbHandle::Close() {
  return Perform(DbCall::kClose, [&] { return base_->Close(); });
}

const leveldb::Comparator* FaultInjectingDbHandle::comparator() const {
  return base_->comparator();
}

}  // namespace shardingdb
