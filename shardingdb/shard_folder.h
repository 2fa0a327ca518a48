// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARD_FOLDER_H_
#define SHARDINGDB_SHARD_FOLDER_H_

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "shardingdb/database_lock.h"
#include "shardingdb/new_folders.h"

namespace shardingdb {

// The file in a folder that an unfinished reshard leaves there. Its text says
// which reshard that was.
inline constexpr char kReshardFile[] = "RESHARD";

// The folder of a LevelDB around the moment of opening it: finds out whether it
// may be opened, makes it, locks it, and removes what was made if opening
// fails.
//
//   ShardFolder folder(env, path, &above);
//   folder.Check(rules), folder.Prepare(rules),
//   leveldb::DB::Open(..., folder.path());
//   if that failed: folder.RemoveWhatIsNew(), above.RemoveEmpty()
//
// The lock is held from before Prepare looks until after RemoveWhatIsNew, or as
// long as anybody keeps lock(). So what RemoveWhatIsNew takes for new is new,
// and nobody has written it but this process.
//
// Every message starts with the path. Not thread-safe.
class ShardFolder {
 public:
  struct Rules {
    bool create_if_missing;
    bool error_if_exists;
    bool allow_unfinished_reshard;
  };

  // `env` must outlive this object and its lock. The folders above that are
  // made become `above`'s, which must outlive this object.
  ShardFolder(leveldb::Env* env, std::string path, NewFolders* above);

  // Looks, and changes nothing. Errors:
  //   InvalidArgument     the path is empty or has a zero byte
  //   NotFound            no database, and none is to be made
  //   AlreadyExists       a database, and there should be none
  //   FailedPrecondition  the path, or a part of it, is a file or a symbolic
  //                       link to nothing; an unfinished reshard
  //   DataLoss            the database lacks CURRENT: LevelDB would take it
  //                       for a new one and delete its tables; or a file that
  //                       LevelDB reads is none (a pipe keeps it waiting)
  //   PermissionDenied, Unavailable
  //                       it cannot be looked into
  [[nodiscard]] absl::Status Check(const Rules& rules);

  // After Check: makes the folder and its parents where they are missing, so
  // that a power loss does not take them away again, locks it, and does Check
  // once more, now that nobody else can change the answer. FailedPrecondition
  // also if this or another process has the database open; Unavailable also if
  // somebody removes the folder.
  [[nodiscard]] absl::Status Prepare(const Rules& rules);

  // After Prepare, if opening failed or is to be undone: removes what has been
  // made since the lock was taken, and the folder if Prepare has made it. What
  // was there before stays, and so does a database with data, and the empty
  // lock file in a folder that stays. Ends this object's share in the lock.
  // REQUIRES: the database is not open.
  void RemoveWhatIsNew();

  // Canonical after Prepare, where the operating system knows the folder.
  const std::string& path() const { return path_; }

  bool had_database() const { return had_database_; }

  // The lock of Prepare, to be kept as long as the database is open; null
  // before. This object keeps it, too.
  std::shared_ptr<const DatabaseLock> lock() const { return lock_; }

 private:
  absl::Status CheckNoReshard(const Rules& rules) const;
  absl::Status CheckFilesAreFiles() const;
  absl::Status Error(const leveldb::Status& status) const;
  std::string FileName(const std::string& name) const;
  bool HasData(const std::vector<std::string>& names) const;
  void RemoveNewFiles(std::vector<std::string> names);
  void RemoveFolder();

  leveldb::Env* const env_;
  const std::string given_path_;
  NewFolders* const above_;
  std::string path_;
  bool made_folder_ = false;
  bool had_database_ = false;
  std::set<std::string> had_files_;
  std::shared_ptr<const DatabaseLock> lock_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARD_FOLDER_H_
