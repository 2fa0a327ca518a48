// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_FAULT_INJECTION_ENV_H_
#define SHARDINGDB_TESTING_FAULT_INJECTION_ENV_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {

// What is done to files, as far as it can fail.
enum class FileOperation {
  kCreate,     // NewWritableFile, NewAppendableFile
  kOpen,       // NewSequentialFile, NewRandomAccessFile
  kAppend,     // WritableFile::Append
  kFlush,      // WritableFile::Flush
  kSync,       // WritableFile::Sync
  kClose,      // WritableFile::Close
  kRead,       // SequentialFile::Read and Skip, RandomAccessFile::Read
  kRename,     // RenameFile, by the name before
  kRemove,     // RemoveFile
  kCreateDir,  // CreateDir
  kRemoveDir,  // RemoveDir
  kList,       // GetChildren, by the folder's name
  kSize,       // GetFileSize
  kLock,       // LockFile
};

// Which operations fail, and how.
struct FileFault {
  // Empty means every kind.
  std::set<FileOperation> operations = {};

  // Shell pattern ("*.log", "*/MANIFEST-*") of the whole path; `*` also
  // matches slashes. Empty means every file.
  std::string pattern = "";

  // So many matching operations pass first; so many fail then; those after them
  // pass again.
  uint64_t skip = 0;
  uint64_t count = std::numeric_limits<uint64_t>::max();

  // What a failing operation returns.
  leveldb::Status status = leveldb::Status::IOError("injected fault");

  // So many bytes of a failing append are written all the same.
  uint64_t torn_bytes = 0;
};

// An Env over another one in which file operations fail by rule, and whose disk
// can be full.
//
//   FaultInjectionEnv env(leveldb::Env::Default());
//   env.AddFault({{FileOperation::kSync}, "*.log", /*skip=*/2, /*count=*/1});
//   env.SetFreeSpace(1 << 20);
//
// An operation that fails by rule does nothing to the file below (but for torn
// appends). A closing that fails still closes, as close(2) does.
//
// Loggers (the file LOG) and FileExists never fail. Safe for any thread; faults
// and the free space may be changed while the Env is in use. Must outlive the
// files that it opened.
class FaultInjectionEnv final : public leveldb::EnvWrapper {
 public:
  // `base` must outlive this object.
  explicit FaultInjectionEnv(leveldb::Env* base);
  ~FaultInjectionEnv() override;

  // Adds a fault and returns its number. Where several match, the first added
  // decides.
  int AddFault(FileFault fault);
  void RemoveFault(int number);
  void RemoveAllFaults();

  // How often the fault has made an operation fail. Asked by number, also after
  // it was removed.
  uint64_t Failures(int number) const;

  // How many operations of this kind were tried on files that match `pattern`.
  // Counting starts with this object.
  uint64_t Operations(FileOperation operation,
                      const std::string& pattern = "") const;

  // From now on appends may take `bytes` more; the one that does not fit is cut
  // short and fails with "No space left on device", and so do all after it.
  // Removing a file, or writing it anew, gives back what was appended to it
  // since.
  void SetFreeSpace(uint64_t bytes);
  void SetUnlimitedSpace();

  // Called before each operation on a file, outside of all locks, by whoever
  // performs it: stops a thread at a chosen point of its work, say. Set it
  // while the Env is not in use.
  void SetObserver(
      std::function<void(FileOperation operation, const std::string& path)>
          observer);

  leveldb::Status NewSequentialFile(const std::string& path,
                                    leveldb::SequentialFile** result) override;
  leveldb::Status NewRandomAccessFile(
      const std::string& path, leveldb::RandomAccessFile** result) override;
  leveldb::Status NewWritableFile(const std::string& path,
                                  leveldb::WritableFile** result) override;
  leveldb::Status NewAppendableFile(const std::string& path,
                                    leveldb::WritableFile** result) override;
  leveldb::Status GetChildren(const std::string& folder,
                              std::vector<std::string>* result) override;
  leveldb::Status RemoveFile(const std::string& path) override;
  leveldb::Status CreateDir(const std::string& folder) override;
  leveldb::Status RemoveDir(const std::string& folder) override;
  leveldb::Status GetFileSize(const std::string& path, uint64_t* size) override;
  leveldb::Status RenameFile(const std::string& from,
                             const std::string& to) override;
  leveldb::Status LockFile(const std::string& path,
                           leveldb::FileLock** lock) override;

 private:
  class FaultyRandomAccessFile;
  class FaultySequentialFile;
  class FaultyWritableFile;

  struct ActiveFault {
    FileFault fault;
    uint64_t matches = 0;
    uint64_t failures = 0;
    bool removed = false;
  };

  // What becomes of an append.
  struct Verdict {
    leveldb::Status status;
    uint64_t bytes_to_write = 0;
  };

  // Decides on an operation that is about to happen.
  leveldb::Status Check(FileOperation operation, const std::string& path);
  Verdict CheckAppend(const std::string& path, uint64_t bytes);
  Verdict Decide(FileOperation operation, const std::string& path)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // The bytes that were counted for this file are free again.
  void GiveBack(const std::string& path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::function<void(FileOperation, const std::string&)> observer_;
  mutable absl::Mutex mutex_;
  std::vector<ActiveFault> faults_ ABSL_GUARDED_BY(mutex_);
  std::map<FileOperation, std::map<std::string, uint64_t>> operations_
      ABSL_GUARDED_BY(mutex_);
  std::optional<uint64_t> free_space_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, uint64_t> used_space_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_FAULT_INJECTION_ENV_H_
