// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_POWER_LOSS_ENV_H_
#define SHARDINGDB_TESTING_POWER_LOSS_ENV_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {

// What the disk holds when the power is back.
struct PowerLoss {
  enum class Unsynced {
    kLost,    // nothing that was not synced
    kKept,    // all that was flushed: what a killed process leaves behind
    kRandom,  // of each file and of each folder's changes some part from the
              // start on
  };
  Unsynced unsynced = Unsynced::kLost;
  uint64_t seed = 0;  // for kRandom
};

// An Env whose power can fail: what was written but not synced is then gone.
//
//   PowerLossEnv env(leveldb::Env::Default(), dir.Join("trash"));
//   ... open a database through it, write ...
//   env.CutPower();
//   db.reset();
//   ASSERT_OK(env.RestorePower({PowerLoss::Unsynced::kLost}));
//   ... open it again and look ...
//
// The disk is thought of thus: Sync makes a file's bytes durable, and with them
// the names in its folder (what was created, renamed and removed there before),
// as journaling file systems do. With `strict_names`, only syncing a file
// MANIFEST-*, where LevelDB syncs the folder as well, makes names durable, and
// SyncFolder, for others who do. Names that are not durable are lost from the
// last change backwards. Folders are durable at once.
//
// The files must be real ones, as those of Env::Default() are. Sync does not
// wait for the real disk. One operation is performed at a time. Safe for any
// thread, but for RestorePower.
class PowerLossEnv final : public leveldb::EnvWrapper {
 public:
  // Removed and replaced files are kept in `trash`, a folder of its own on the
  // same disk, until their end is durable. `base` must outlive this object.
  PowerLossEnv(leveldb::Env* base, const std::string& trash,
               bool strict_names = false);
  ~PowerLossEnv() override;

  // From now on every operation fails with "power is off".
  void CutPower();

  // Brings the files into the state that `loss` describes, and lets operations
  // pass again. REQUIRES: the power is off, and whatever used the files is
  // gone.
  [[nodiscard]] absl::Status RestorePower(const PowerLoss& loss);

  // Makes the names in `folder` durable.
  void SyncFolder(const std::string& folder);

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
  leveldb::Status RenameFile(const std::string& from,
                             const std::string& to) override;
  leveldb::Status LockFile(const std::string& path,
                           leveldb::FileLock** lock) override;

 private:
  class TrackedFile;

  // How many bytes of a file have got how far.
  struct FileState {
    uint64_t written = 0;
    uint64_t flushed = 0;
    uint64_t synced = 0;
  };

  // One change of the names in a folder, as far as needed to take it back.
  struct Change {
    enum class Kind { kCreate, kRename, kRemove };
    Kind kind = Kind::kCreate;
    std::string folder;
    std::string path;
    std::string to;        // kRename
    std::string replaced;  // in the trash: what was at `path`, or at `to`
    std::shared_ptr<FileState> replaced_state;
  };

  leveldb::Status CheckPower(const std::string& path) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Moves what is at `path`, if anything, to the trash, and notes it in
  // `change`.
  leveldb::Status MoveToTrash(const std::string& path, Change* change)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void MakeNamesDurable(const std::string& folder)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TakeBack(const Change& change)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string trash_;
  const bool strict_names_;
  mutable absl::Mutex mutex_;
  bool power_ ABSL_GUARDED_BY(mutex_) = true;
  uint64_t trashed_ ABSL_GUARDED_BY(mutex_) = 0;
  // Files that were written through this Env; others are durable.
  std::map<std::string, std::shared_ptr<FileState>> files_
      ABSL_GUARDED_BY(mutex_);
  // Changes that are not durable, oldest first.
  std::vector<Change> changes_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_POWER_LOSS_ENV_H_
