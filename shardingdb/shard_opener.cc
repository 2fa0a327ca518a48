// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_opener.h"

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <map>
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
  std::filesystem::path canonical =
      std::filesystem::weakly_canonical(path, error);
  if (error)
    canonical = std::filesystem::absolute(path, error).lexically_normal();
  if (!canonical.has_filename())
    canonical = canonical.parent_path();  // "/a/" is "/a"
  return canonical.string();
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
  std::vector<char> is_new(count);
  ParallelFor(count, kMaxOpenThreads, [&](size_t i) {
    is_new[i] = !env->FileExists(paths[i]);
    opened[i] = OpenLevelDb(paths[i], shared);
  });

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
    if (is_new[i] && opened[i].ok()) leveldb::DestroyDB(paths[i], destroy).ok();
  }
  return status;
}

}  // namespace shardingdb
