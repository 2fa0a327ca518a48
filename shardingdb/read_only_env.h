// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_READ_ONLY_ENV_H_
#define SHARDINGDB_READ_ONLY_ENV_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/env.h"
#include "leveldb/status.h"

namespace shardingdb {

// An Env through which a LevelDB opens and reads a folder of which no byte, no
// time stamp and no file changes: what LevelDB writes goes to memory.
//
// It is for reading databases that must stay as they are, also on a read-only
// file system. LevelDB writes when it opens a database (it turns the log into a
// table and starts a new MANIFEST), and this Env keeps that in memory and shows
// it to later reads. It is no place to write to: call Freeze() once the
// database is open.
//
// Lock files are opened for reading and locked shared, so a database which
// another process has open for writing is refused, several readers are not, and
// no writer can open it meanwhile. That holds for LevelDB (fcntl), in this
// process too, and goleveldb (flock). A refusal leaves the writer's lock alone
// (see LockDescriptor). Where there is no lock file, there is nothing to lock.
//
// Thread safety: as every Env, from any thread. Must outlive the databases that
// use it. One for each database, as Freeze() is for all that use it.
class ReadOnlyEnv : public leveldb::EnvWrapper {
 public:
  // `base` is where files are read; it must outlive this object.
  explicit ReadOnlyEnv(leveldb::Env* base);
  ~ReadOnlyEnv() override;

  // From now on no new file can be made, not even in memory: IOError. Reading
  // goes on. It stops compactions, which would rewrite the database into
  // memory.
  void Freeze();

  leveldb::Status NewSequentialFile(const std::string& name,
                                    leveldb::SequentialFile** file) override;
  leveldb::Status NewRandomAccessFile(
      const std::string& name, leveldb::RandomAccessFile** file) override;
  leveldb::Status NewWritableFile(const std::string& name,
                                  leveldb::WritableFile** file) override;
  // NotSupported, which LevelDB is prepared for.
  leveldb::Status NewAppendableFile(const std::string& name,
                                    leveldb::WritableFile** file) override;
  bool FileExists(const std::string& name) override;
  leveldb::Status GetChildren(const std::string& folder,
                              std::vector<std::string>* names) override;
  leveldb::Status RemoveFile(const std::string& name) override;
  // OK without making anything: the folder is there, or reading from it fails.
  leveldb::Status CreateDir(const std::string& folder) override;
  // NotSupported.
  leveldb::Status RemoveDir(const std::string& folder) override;
  leveldb::Status GetFileSize(const std::string& name, uint64_t* size) override;
  leveldb::Status RenameFile(const std::string& from,
                             const std::string& to) override;
  leveldb::Status LockFile(const std::string& name,
                           leveldb::FileLock** lock) override;
  leveldb::Status UnlockFile(leveldb::FileLock* lock) override;
  // A logger that drops everything.
  leveldb::Status NewLogger(const std::string& name,
                            leveldb::Logger** logger) override;

 private:
  // Where a file of this name is read from.
  leveldb::Env* Home(const std::string& name);

  const std::unique_ptr<leveldb::Env> memory_;
  std::atomic<bool> frozen_{false};
  absl::Mutex mutex_;
  // Files of the base that were removed or renamed.
  std::set<std::string> hidden_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace shardingdb

#endif  // SHARDINGDB_READ_ONLY_ENV_H_
