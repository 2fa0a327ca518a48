// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_LOCK_DESCRIPTOR_H_
#define SHARDINGDB_LOCK_DESCRIPTOR_H_

#include <memory>
#include <string>

namespace shardingdb {

// An open lock file of a database, for whoever wants other locks on it than
// LevelDB's exclusive one. Nothing is written.
//
// LevelDB's lock (fcntl) belongs to the process, and is gone as soon as the
// process closes any descriptor of the file. So this object closes its one only
// if the process has no such lock, and else keeps it for the next object of the
// same file: one descriptor for each database, as a rule, that was open when it
// was asked for.
//
// Errors are those of errno; 0 means none. Not thread-safe; several objects
// are.
class LockDescriptor {
 public:
  // Null, and `*error`, if the file cannot be opened; ENOENT if it is not
  // there.
  [[nodiscard]] static std::unique_ptr<LockDescriptor> Open(
      const std::string& file, int* error);

  LockDescriptor(const LockDescriptor&) = delete;
  LockDescriptor& operator=(const LockDescriptor&) = delete;
  ~LockDescriptor();

  // Both kinds of locks until destroyed, shared: conflicts with LevelDB (fcntl)
  // of any process, this one included, and with goleveldb (flock). EAGAIN if
  // somebody has the database open, or the file is not that of its name any
  // more: whoever has removed it may have let it go since.
  [[nodiscard]] int LockShared();

  // An exclusive flock until destroyed: conflicts with goleveldb, and not with
  // LevelDB. EAGAIN as above.
  [[nodiscard]] int LockOutGoLevelDb();

  // Whether a LevelDB of this process has the lock.
  [[nodiscard]] bool IsLockedByThisProcess() const;

 private:
  LockDescriptor(std::string file, int descriptor);

  int TakeFlock(int operation);

  const std::string file_;
  const int descriptor_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_LOCK_DESCRIPTOR_H_
