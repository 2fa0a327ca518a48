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
#include "shardingdb/folder_claim.h"

namespace shardingdb {

// The file in a folder that an unfinished reshard leaves there. Its text says
// which reshard that was.
inline constexpr char kReshardFile[] = "RESHARD";

// The folder of a LevelDB around the moment of opening it: finds out whether it
// may be opened, makes it, and removes what was made if opening fails.
//
//   ShardFolder folder(env, path);
//   folder.Check(...), folder.Prepare(), leveldb::DB::Open(..., folder.path());
//   if that failed: folder.RemoveWhatIsNew()
//
// Every message starts with the path. Not thread-safe.
class ShardFolder {
 public:
  struct Rules {
    bool create_if_missing;
    bool error_if_exists;
    bool allow_unfinished_reshard;
  };

  // `env` must outlive this object.
  ShardFolder(leveldb::Env* env, std::string path);

  // Looks, and changes nothing. Errors:
  //   InvalidArgument     the path is empty or has a zero byte
  //   NotFound            no database, and none is to be made
  //   AlreadyExists       a database, and there should be none
  //   FailedPrecondition  the path, or a part of it, is a file; an unfinished
  //                       reshard
  //   DataLoss            the database lacks CURRENT: LevelDB would take it
  //                       for a new one and delete its tables
  //   PermissionDenied, Unavailable
  //                       it cannot be looked into
  [[nodiscard]] absl::Status Check(const Rules& rules);

  // Part of Check, to be asked again once LevelDB's lock is held: a reshard may
  // have begun in between. FailedPrecondition if one is unfinished.
  [[nodiscard]] absl::Status CheckNoReshard(const Rules& rules) const;

  // After Check: makes the folder and its parents where they are missing, so
  // that a power loss does not take them away again, and claims it for this
  // process. FailedPrecondition if this or another process has the database
  // open; otherwise the error of making a folder.
  [[nodiscard]] absl::Status Prepare();

  // After Prepare, if opening failed or is to be undone: removes the files and
  // folders that LevelDB and Prepare have made since Check. Where there was a
  // database before, or somebody has written data meanwhile, nothing is
  // removed. REQUIRES: the database is not open.
  void RemoveWhatIsNew();

  // Canonical after Prepare, where the operating system knows the folder.
  const std::string& path() const { return path_; }

  // The lock file, under the path as it was given. Envs compare the names of
  // the locks that a process holds, so this is the name to take it by: whoever
  // gives the same path to LevelDB finds the database locked.
  std::string lock_name() const;

  bool had_database() const { return had_database_; }

  // The claim of Prepare, to be kept as long as the database is open. This
  // object keeps it, too.
  std::shared_ptr<const FolderClaim> claim() const { return claim_; }

 private:
  absl::Status Error(const leveldb::Status& status) const;
  std::string FileName(const std::string& name) const;
  bool HasData(const std::vector<std::string>& names) const;
  absl::Status MakeFolders();
  bool RemoveNewFiles();  // false: they are to stay
  absl::Status CheckLock();

  leveldb::Env* const env_;
  const std::string given_path_;
  std::string path_;
  bool had_database_ = false;
  std::set<std::string> had_files_;
  std::vector<std::string> made_folders_;  // parents first
  std::shared_ptr<const FolderClaim> claim_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARD_FOLDER_H_
