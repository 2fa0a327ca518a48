// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_NEW_FOLDERS_H_
#define SHARDINGDB_NEW_FOLDERS_H_

#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/env.h"

namespace shardingdb {

// Folders above the databases of one set that one attempt to open it has made,
// to be taken away again if it fails. Several databases may lie in one of them.
//
// Thread-safe, but for RemoveEmpty.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;

  // Makes `folder` and those above it where they are missing, so that a power
  // loss does not take them away again. Those above it are remembered if this
  // call, and nobody else, has made them; `*made` says the same of `folder`,
  // also if it fails afterwards. All calls have one `env`, which outlives this
  // object. Unavailable if somebody removes a folder meanwhile; other errors of
  // making and syncing a folder.
  [[nodiscard]] absl::Status Make(leveldb::Env* env, const std::string& folder,
                                  bool* made);

  // Removes those that are remembered and hold nothing.
  void RemoveEmpty();

 private:
  absl::Mutex mutex_;
  leveldb::Env* env_ ABSL_GUARDED_BY(mutex_) = nullptr;  // null: none are made
  std::set<std::string> made_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace shardingdb

#endif  // SHARDINGDB_NEW_FOLDERS_H_
