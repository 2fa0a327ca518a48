// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/fault_injection_env.h"

#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {
namespace {

using ::leveldb::Slice;
using ::leveldb::Status;

bool Matches(const std::string& pattern, const std::string& path) {
  return pattern.empty() || fnmatch(pattern.c_str(), path.c_str(), 0) == 0;
}

}  // namespace

class FaultInjectionEnv::FaultySequentialFile final
    : public leveldb::SequentialFile {
 public:
  FaultySequentialFile(FaultInjectionEnv* env, std::string path,
                       leveldb::SequentialFile* base)
      : env_(env), path_(std::move(path)), base_(base) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    Status status = env_->Check(FileOperation::kRead, path_);
    return status.ok() ? base_->Read(n, result, scratch) : status;
  }
  Status Skip(uint64_t n) override {
    Status status = env_->Check(FileOperation::kRead, path_);
    return status.ok() ? base_->Skip(n) : status;
  }

 private:
  FaultInjectionEnv* const env_;
  const std::string path_;
  const std::unique_ptr<leveldb::SequentialFile> base_;
};

class FaultInjectionEnv::FaultyRandomAccessFile final
    : public leveldb::RandomAccessFile {
 public:
  FaultyRandomAccessFile(FaultInjectionEnv* env, std::string path,
                         leveldb::RandomAccessFile* base)
      : env_(env), path_(std::move(path)), base_(base) {}

  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    Status status = env_->Check(FileOperation::kRead, path_);
    return status.ok() ? base_->Read(offset, n, result, scratch) : status;
  }

 private:
  FaultInjectionEnv* const env_;
  const std::string path_;
  const std::unique_ptr<leveldb::RandomAccessFile> base_;
};

class FaultInjectionEnv::FaultyWritableFile final
    : public leveldb::WritableFile {
 public:
  FaultyWritableFile(FaultInjectionEnv* env, std::string path,
                     leveldb::WritableFile* base)
      : env_(env), path_(std::move(path)), base_(base) {}

  Status Append(const Slice& data) override {
    const Verdict verdict = env_->CheckAppend(path_, data.size());
    if (verdict.bytes_to_write > 0) {
      Status status = base_->Append(Slice(data.data(), verdict.bytes_to_write));
      if (!status.ok()) return status;
    }
    return verdict.status;
  }
  Status Close() override {
    const Status status = env_->Check(FileOperation::kClose, path_);
    const Status closed = base_->Close();
    return status.ok() ? closed : status;
  }
  Status Flush() override {
    Status status = env_->Check(FileOperation::kFlush, path_);
    return status.ok() ? base_->Flush() : status;
  }
  Status Sync() override {
    Status status = env_->Check(FileOperation::kSync, path_);
    return status.ok() ? base_->Sync() : status;
  }

 private:
  FaultInjectionEnv* const env_;
  const std::string path_;
  const std::unique_ptr<leveldb::WritableFile> base_;
};

FaultInjectionEnv::FaultInjectionEnv(leveldb::Env* base) : EnvWrapper(base) {}

FaultInjectionEnv::~FaultInjectionEnv() = default;

int FaultInjectionEnv::AddFault(FileFault fault) {
  absl::MutexLock lock(&mutex_);
  faults_.push_back({std::move(fault)});
  return static_cast<int>(faults_.size()) - 1;
}

void FaultInjectionEnv::RemoveFault(int number) {
  absl::MutexLock lock(&mutex_);
  faults_.at(number).removed = true;
}

void FaultInjectionEnv::RemoveAllFaults() {
  absl::MutexLock lock(&mutex_);
  for (ActiveFault& fault : faults_) fault.removed = true;
}

uint64_t FaultInjectionEnv::Failures(int number) const {
  absl::MutexLock lock(&mutex_);
  return faults_.at(number).failures;
}

uint64_t FaultInjectionEnv::Operations(FileOperation operation,
                                       const std::string& pattern) const {
  absl::MutexLock lock(&mutex_);
  uint64_t sum = 0;
  const auto of_kind = operations_.find(operation);
  if (of_kind == operations_.end()) return sum;
  for (const auto& [path, count] : of_kind->second) {
    if (Matches(pattern, path)) sum += count;
  }
  return sum;
}

void FaultInjectionEnv::SetFreeSpace(uint64_t bytes) {
  absl::MutexLock lock(&mutex_);
  free_space_ = bytes;
}

void FaultInjectionEnv::SetUnlimitedSpace() {
  absl::MutexLock lock(&mutex_);
  free_space_.reset();
}

void FaultInjectionEnv::SetObserver(
    std::function<void(FileOperation, const std::string&)> observer) {
  observer_ = std::move(observer);
}

FaultInjectionEnv::Verdict FaultInjectionEnv::Decide(FileOperation operation,
                                                     const std::string& path) {
  ++operations_[operation][path];
  for (ActiveFault& active : faults_) {
    const FileFault& fault = active.fault;
    if (active.removed || !Matches(fault.pattern, path)) continue;
    if (!fault.operations.empty() && fault.operations.count(operation) == 0) {
      continue;
    }
    if (active.matches++ < fault.skip || active.failures >= fault.count) {
      continue;
    }
    ++active.failures;
    return {fault.status, fault.torn_bytes};
  }
  return {Status::OK(), 0};
}

Status FaultInjectionEnv::Check(FileOperation operation,
                                const std::string& path) {
  if (observer_) observer_(operation, path);
  absl::MutexLock lock(&mutex_);
  return Decide(operation, path).status;
}

FaultInjectionEnv::Verdict FaultInjectionEnv::CheckAppend(
    const std::string& path, uint64_t bytes) {
  if (observer_) observer_(FileOperation::kAppend, path);
  absl::MutexLock lock(&mutex_);
  Verdict verdict = Decide(FileOperation::kAppend, path);
  verdict.bytes_to_write =
      verdict.status.ok() ? bytes : std::min(bytes, verdict.bytes_to_write);
  if (free_space_.has_value()) {
    if (*free_space_ < verdict.bytes_to_write) {
      verdict = {Status::IOError(path, std::strerror(ENOSPC)), *free_space_};
    }
    *free_space_ -= verdict.bytes_to_write;
  }
  used_space_[path] += verdict.bytes_to_write;
  return verdict;
}

void FaultInjectionEnv::GiveBack(const std::string& path) {
  const auto used = used_space_.find(path);
  if (used == used_space_.end()) return;
  if (free_space_.has_value()) *free_space_ += used->second;
  used_space_.erase(used);
}

Status FaultInjectionEnv::NewSequentialFile(const std::string& path,
                                            leveldb::SequentialFile** result) {
  *result = nullptr;
  Status status = Check(FileOperation::kOpen, path);
  if (status.ok()) status = target()->NewSequentialFile(path, result);
  if (status.ok()) *result = new FaultySequentialFile(this, path, *result);
  return status;
}

Status FaultInjectionEnv::NewRandomAccessFile(
    const std::string& path, leveldb::RandomAccessFile** result) {
  *result = nullptr;
  Status status = Check(FileOperation::kOpen, path);
  if (status.ok()) status = target()->NewRandomAccessFile(path, result);
  if (status.ok()) *result = new FaultyRandomAccessFile(this, path, *result);
  return status;
}

Status FaultInjectionEnv::NewWritableFile(const std::string& path,
                                          leveldb::WritableFile** result) {
  *result = nullptr;
  Status status = Check(FileOperation::kCreate, path);
  if (status.ok()) status = target()->NewWritableFile(path, result);
  if (!status.ok()) return status;
  *result = new FaultyWritableFile(this, path, *result);
  absl::MutexLock lock(&mutex_);
  GiveBack(path);
  return status;
}

Status FaultInjectionEnv::NewAppendableFile(const std::string& path,
                                            leveldb::WritableFile** result) {
  *result = nullptr;
  Status status = Check(FileOperation::kCreate, path);
  if (status.ok()) status = target()->NewAppendableFile(path, result);
  if (status.ok()) *result = new FaultyWritableFile(this, path, *result);
  return status;
}

Status FaultInjectionEnv::GetChildren(const std::string& folder,
                                      std::vector<std::string>* result) {
  Status status = Check(FileOperation::kList, folder);
  return status.ok() ? target()->GetChildren(folder, result) : status;
}

Status FaultInjectionEnv::RemoveFile(const std::string& path) {
  Status status = Check(FileOperation::kRemove, path);
  if (status.ok()) status = target()->RemoveFile(path);
  if (!status.ok()) return status;
  absl::MutexLock lock(&mutex_);
  GiveBack(path);
  return status;
}

Status FaultInjectionEnv::CreateDir(const std::string& folder) {
  Status status = Check(FileOperation::kCreateDir, folder);
  return status.ok() ? target()->CreateDir(folder) : status;
}

Status FaultInjectionEnv::RemoveDir(const std::string& folder) {
  Status status = Check(FileOperation::kRemoveDir, folder);
  return status.ok() ? target()->RemoveDir(folder) : status;
}

Status FaultInjectionEnv::GetFileSize(const std::string& path, uint64_t* size) {
  Status status = Check(FileOperation::kSize, path);
  return status.ok() ? target()->GetFileSize(path, size) : status;
}

Status FaultInjectionEnv::RenameFile(const std::string& from,
                                     const std::string& to) {
  Status status = Check(FileOperation::kRename, from);
  if (status.ok()) status = target()->RenameFile(from, to);
  if (!status.ok()) return status;
  absl::MutexLock lock(&mutex_);
  GiveBack(to);
  const auto used = used_space_.find(from);
  if (used != used_space_.end()) {
    used_space_[to] = used->second;
    used_space_.erase(from);
  }
  return status;
}

Status FaultInjectionEnv::LockFile(const std::string& path,
                                   leveldb::FileLock** lock) {
  *lock = nullptr;
  Status status = Check(FileOperation::kLock, path);
  return status.ok() ? target()->LockFile(path, lock) : status;
}

}  // namespace shardingdb
