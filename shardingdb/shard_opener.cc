// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_opener.h"

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "leveldb/db.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/status.h"
#include "shardingdb/thread_pool.h"

namespace shardingdb {
namespace {

// Opening waits for the disk and replays logs.
constexpr size_t kMaxOpenThreads = 8;

// Which folder a path means, however it is spelled.
std::string CanonicalPath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  // Of a relative path that is not there it would say nothing.
  std::filesystem::path canonical =
      std::filesystem::weakly_canonical(absolute, error);
  if (error) canonical = absolute.lexically_normal();
  if (!canonical.has_filename())
    canonical = canonical.parent_path();  // "/a/" is "/a"
  return canonical.string();
}

// Those of `paths`, and of the folders that they lie in, that are not there.
std::set<std::string> MissingFolders(leveldb::Env* env,
                                     const std::vector<std::string>& paths) {
  std::set<std::string> missing;
  for (const std::string& path : paths) {
    for (std::filesystem::path folder = CanonicalPath(path);
         folder.has_relative_path() && !env->FileExists(folder.string());
         folder = folder.parent_path()) {
      if (!missing.insert(folder.string()).second) break;
    }
  }
  return missing;
}

absl::Status CheckPaths(const std::vector<std::string>& paths) {
  if (paths.empty()) return absl::InvalidArgumentError("no folders are given");
  if (paths.size() > kMaxShards) {
    return absl::InvalidArgumentError(absl::StrCat(
        paths.size(), " folders are given, and a database has at most ",
        kMaxShards, " shards"));
  }
  std::map<std::string, size_t> by_path;
  std::map<std::pair<dev_t, ino_t>, size_t> by_inode;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty())
      return absl::InvalidArgumentError(
          absl::StrCat("the folder of shard ", i, " is an empty string"));
    auto same = by_path.emplace(CanonicalPath(paths[i]), i).first->second;
    struct stat found;
    if (same == i && ::stat(paths[i].c_str(), &found) == 0) {
      same = by_inode.emplace(std::make_pair(found.st_dev, found.st_ino), i)
                 .first->second;
    }
    if (same != i) {
      return absl::InvalidArgumentError(
          absl::StrCat("shards ", same, " and ", i,
                       " are one folder: ", paths[same], " and ", paths[i]));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::unique_ptr<DbHandle>>> OpenShards(
    const std::vector<std::string>& paths, const ShardOptions& options,
    const ResourceOptions& resources) {
  absl::Status status = CheckPaths(paths);
  if (!status.ok()) return status;
  ShardOptions shared = options;
  shared.resources = SharedResources::New(resources);
  leveldb::Env* const env =
      resources.env != nullptr ? resources.env : leveldb::Env::Default();

  const size_t count = paths.size();
  std::vector<absl::StatusOr<std::unique_ptr<DbHandle>>> opened(count);
  const std::set<std::string> missing = MissingFolders(env, paths);
  ParallelFor(count, kMaxOpenThreads,
              [&](size_t i) { opened[i] = OpenLevelDb(paths[i], shared); });

  std::vector<std::unique_ptr<DbHandle>> shards;
  shards.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    if (opened[i].ok()) {
      shards.push_back(*std::move(opened[i]));
    } else if (status.ok()) {
      status = Annotate(opened[i].status(), absl::StrCat("shard ", i));
    }
  }
  if (status.ok()) return shards;
  shards.clear();
  leveldb::Options destroy;
  destroy.env = env;
  for (size_t i = 0; i < count; ++i) {
    if (opened[i].ok() && missing.count(CanonicalPath(paths[i])) > 0)
      leveldb::DestroyDB(paths[i], destroy).ok();
  }
  // Longer paths first, so what lies in a folder goes before it does. Folders
  // that hold anything stay.
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder)
    env->RemoveDir(*folder).ok();
  return status;
}

}  // namespace shardingdb
