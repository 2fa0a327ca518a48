// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_opener.h"

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shardingdb/new_folders.h"
#include "shardingdb/open_shard.h"
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

using OpenedShards = std::vector<absl::StatusOr<OpenedShard>>;

// The error of the lowest shard that failed. One that has no database is not
// counted with `may_be_missing`.
absl::Status FirstError(const OpenedShards& opened, bool may_be_missing) {
  for (size_t i = 0; i < opened.size(); ++i) {
    const absl::Status& status = opened[i].status();
    if (status.ok() || (may_be_missing && absl::IsNotFound(status))) continue;
    return Annotate(status, absl::StrCat("shard ", i));
  }
  return absl::OkStatus();
}

// Whether nothing was ever put into a shard, or deleted from it.
bool IsUnwritten(DbHandle* shard) {
  std::string last_sequence;
  return shard->GetProperty("leveldb.last-sequence", &last_sequence) &&
         last_sequence == "0";
}

// Some folders hold a database and others do not. That is a creation cut short,
// to be finished, only if nothing was written yet; otherwise a folder is lost.
absl::Status CheckUnwritten(const std::vector<std::string>& paths,
                            const OpenedShards& opened, size_t missing) {
  for (size_t i = 0; i < opened.size(); ++i) {
    if (!opened[i].ok() || IsUnwritten(opened[i]->handle.get())) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("shard ", missing, ": ", paths[missing],
                     ": no database, but shard ", i, ", ", paths[i],
                     ", has been written: it is not mounted, was lost, or is "
                     "not of this set (reshard adds shards to a set)"));
  }
  return absl::OkStatus();
}

// Opens the shards `indices` of `paths`, in parallel.
void OpenEach(const std::vector<std::string>& paths,
              const std::vector<size_t>& indices, const ShardOptions& options,
              NewFolders* above, OpenedShards* opened) {
  ParallelFor(indices.size(), kMaxOpenThreads, [&](size_t i) {
    (*opened)[indices[i]] = OpenShard(paths[indices[i]], options, above);
  });
}

// Opens all of them. Databases that are missing are made, if at all, once those
// that are there are open and known to be unwritten.
absl::Status OpenAll(const std::vector<std::string>& paths,
                     const ShardOptions& options, NewFolders* above,
                     OpenedShards* opened) {
  std::vector<size_t> all(paths.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const bool create = options.leveldb.create_if_missing;
  ShardOptions only_if_there = options;
  only_if_there.leveldb.create_if_missing = false;
  OpenEach(paths, all, only_if_there, above, opened);
  absl::Status status = FirstError(*opened, /*may_be_missing=*/create);
  if (!status.ok()) return status;

  std::vector<size_t> missing;
  for (size_t i : all) {
    if (!(*opened)[i].ok()) missing.push_back(i);
  }
  if (missing.empty()) return absl::OkStatus();
  status = CheckUnwritten(paths, *opened, missing[0]);
  if (!status.ok()) return status;
  // Of several that make one set at once, the one that has its first shard goes
  // on, and the others go no further.
  const size_t first = missing[0];
  (*opened)[first] = OpenShard(paths[first], options, above);
  if (!(*opened)[first].ok()) {
    return Annotate((*opened)[first].status(), absl::StrCat("shard ", first));
  }
  missing.erase(missing.begin());
  OpenEach(paths, missing, options, above, opened);
  return FirstError(*opened, /*may_be_missing=*/false);
}

// Closes all that is open, and removes what has been made.
void Undo(NewFolders* above, OpenedShards* opened) {
  for (absl::StatusOr<OpenedShard>& shard : *opened) {
    if (!shard.ok()) continue;
    shard->handle.reset();
    shard->folder->RemoveWhatIsNew();
  }
  above->RemoveEmpty();
}

}  // namespace

absl::StatusOr<std::vector<std::unique_ptr<DbHandle>>> OpenShards(
    const std::vector<std::string>& paths, const ShardOptions& options,
    const ResourceOptions& resources) {
  absl::Status status = CheckPaths(paths);
  if (!status.ok()) return status;
  ShardOptions shared = options;
  shared.resources = SharedResources::New(resources);

  NewFolders above;
  OpenedShards opened(paths.size());
  status = OpenAll(paths, shared, &above, &opened);
  if (!status.ok()) {
    Undo(&above, &opened);
    return status;
  }

  std::vector<std::unique_ptr<DbHandle>> shards;
  shards.reserve(opened.size());
  for (auto& shard : opened) shards.push_back(std::move(shard->handle));
  return shards;
}

}  // namespace shardingdb
