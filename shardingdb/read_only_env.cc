// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/read_only_env.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "helpers/memenv/memenv.h"
#include "shardingdb/lock_descriptor.h"

namespace shardingdb {
namespace {

class SharedFileLock : public leveldb::FileLock {
 public:
  // `descriptor` is null where there is no file.
  explicit SharedFileLock(std::unique_ptr<LockDescriptor> descriptor)
      : descriptor_(std::move(descriptor)) {}

 private:
  const std::unique_ptr<LockDescriptor> descriptor_;
};

// The shape in which LevelDB reports them.
leveldb::Status IoError(const std::string& what, int error) {
  return leveldb::Status::IOError(what, std::strerror(error));
}

}  // namespace

ReadOnlyEnv::ReadOnlyEnv(leveldb::Env* base)
    : EnvWrapper(base), memory_(leveldb::NewMemEnv(base)) {}

ReadOnlyEnv::~ReadOnlyEnv() = default;

void ReadOnlyEnv::Freeze() { frozen_.store(true); }

leveldb::Env* ReadOnlyEnv::Home(const std::string& name) {
  if (memory_->FileExists(name)) return memory_.get();
  absl::MutexLock lock(&mutex_);
  // What was removed is found nowhere, as the memory does not have it either.
  return hidden_.count(name) > 0 ? memory_.get() : target();
}

leveldb::Status ReadOnlyEnv::NewSequentialFile(const std::string& name,
                                               leveldb::SequentialFile** file) {
  return Home(name)->NewSequentialFile(name, file);
}

leveldb::Status ReadOnlyEnv::NewRandomAccessFile(
    const std::string& name, leveldb::RandomAccessFile** file) {
  return Home(name)->NewRandomAccessFile(name, file);
}

leveldb::Status ReadOnlyEnv::NewWritableFile(const std::string& name,
                                             leveldb::WritableFile** file) {
  if (frozen_.load()) {
    *file = nullptr;
    return leveldb::Status::IOError(name, "opened for reading only");
  }
  return memory_->NewWritableFile(name, file);
}

leveldb::Status ReadOnlyEnv::NewAppendableFile(const std::string& name,
                                               leveldb::WritableFile** file) {
  *file = nullptr;
  return leveldb::Status::NotSupported(name, "opened for reading only");
}

bool ReadOnlyEnv::FileExists(const std::string& name) {
  return Home(name)->FileExists(name);
}

leveldb::Status ReadOnlyEnv::GetChildren(const std::string& folder,
                                         std::vector<std::string>* names) {
  std::vector<std::string> on_disk;
  leveldb::Status status = target()->GetChildren(folder, &on_disk);
  if (!status.ok()) return status;
  std::vector<std::string> in_memory;
  status = memory_->GetChildren(folder, &in_memory);
  if (!status.ok()) return status;
  std::set<std::string> all(in_memory.begin(), in_memory.end());
  {
    absl::MutexLock lock(&mutex_);
    for (const std::string& name : on_disk) {
      if (hidden_.count(folder + "/" + name) == 0) all.insert(name);
    }
  }
  names->assign(all.begin(), all.end());
  return leveldb::Status::OK();
}

leveldb::Status ReadOnlyEnv::RemoveFile(const std::string& name) {
  if (!FileExists(name)) return leveldb::Status::NotFound(name);
  if (memory_->FileExists(name)) {
    const leveldb::Status status = memory_->RemoveFile(name);
    if (!status.ok()) return status;
  }
  absl::MutexLock lock(&mutex_);
  hidden_.insert(name);
  return leveldb::Status::OK();
}

leveldb::Status ReadOnlyEnv::CreateDir(const std::string& /*folder*/) {
  return leveldb::Status::OK();
}

leveldb::Status ReadOnlyEnv::RemoveDir(const std::string& folder) {
  return leveldb::Status::NotSupported(folder, "opened for reading only");
}

leveldb::Status ReadOnlyEnv::GetFileSize(const std::string& name,
                                         uint64_t* size) {
  return Home(name)->GetFileSize(name, size);
}

leveldb::Status ReadOnlyEnv::RenameFile(const std::string& from,
                                        const std::string& to) {
  if (!memory_->FileExists(from)) {
    std::string contents;
    leveldb::Status status = leveldb::ReadFileToString(this, from, &contents);
    if (!status.ok()) return status;
    status = leveldb::WriteStringToFile(memory_.get(), contents, from);
    if (!status.ok()) return status;
  }
  const leveldb::Status status = memory_->RenameFile(from, to);
  if (!status.ok()) return status;
  absl::MutexLock lock(&mutex_);
  hidden_.insert(from);
  return status;
}

leveldb::Status ReadOnlyEnv::LockFile(const std::string& name,
                                      leveldb::FileLock** lock) {
  *lock = nullptr;
  int error = 0;
  std::unique_ptr<LockDescriptor> descriptor =
      LockDescriptor::Open(name, &error);
  if (descriptor != nullptr) {
    error = descriptor->LockShared();
    if (error != 0) {
      // LevelDB's words where this process has it.
      return descriptor->IsLockedByThisProcess()
                 ? leveldb::Status::IOError("lock " + name,
                                            "already held by process")
                 : IoError("lock " + name, error);
    }
  } else if (error != ENOENT) {
    return IoError(name, error);
  }
  *lock = new SharedFileLock(std::move(descriptor));
  return leveldb::Status::OK();
}

leveldb::Status ReadOnlyEnv::UnlockFile(leveldb::FileLock* lock) {
  delete lock;
  return leveldb::Status::OK();
}

leveldb::Status ReadOnlyEnv::NewLogger(const std::string& name,
                                       leveldb::Logger** logger) {
  return memory_->NewLogger(name, logger);
}

}  // namespace shardingdb
