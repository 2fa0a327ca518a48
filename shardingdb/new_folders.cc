// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/new_folders.h"

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "leveldb/status.h"
#include "shardingdb/durable_folder.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// "a", "a/b" and "a/b/c" for "a/b/c/".
std::vector<std::string> WithParents(const std::string& path) {
  std::vector<std::string> folders;
  for (size_t i = 1; i <= path.size(); ++i) {
    const bool ends = i == path.size() || path[i] == '/';
    if (ends && path[i - 1] != '/') folders.push_back(path.substr(0, i));
  }
  return folders;
}

bool IsOnDisk(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::is_directory(folder, ignored);
}

}  // namespace

absl::Status NewFolders::Make(leveldb::Env* env, const std::string& folder,
                              bool* made) {
  *made = false;
  const std::vector<std::string> all = WithParents(folder);
  for (size_t i = 0; i < all.size(); ++i) {
    if (env->FileExists(all[i])) continue;
    const bool was_on_disk = IsOnDisk(all[i]);
    const leveldb::Status status = env->CreateDir(all[i]);
    if (status.ok()) {
      if (i + 1 == all.size()) {
        *made = true;
      } else {
        absl::MutexLock lock(&mutex_);
        env_ = env;
        made_.insert(all[i]);
      }
      if (was_on_disk || !IsOnDisk(all[i])) continue;  // the Env has its own
      const absl::Status synced = SyncFolder(FolderAbove(all[i]));
      if (!synced.ok()) return synced;
    } else if (!env->FileExists(all[i])) {  // nobody else has just made it
      const absl::Status error = ToAbslStatus(status);
      // Not the folder as such: the one above, which somebody has taken away.
      return absl::IsNotFound(error) ? absl::UnavailableError(error.message())
                                     : error;
    }
  }
  return absl::OkStatus();
}

void NewFolders::RemoveEmpty() {
  leveldb::Env* env = nullptr;
  std::set<std::string> made;
  {
    absl::MutexLock lock(&mutex_);
    env = env_;
    made.swap(made_);
  }
  // Longer names first, so what lies in a folder goes before it does.
  for (auto folder = made.rbegin(); folder != made.rend(); ++folder) {
    env->RemoveDir(*folder);
  }
}

}  // namespace shardingdb
