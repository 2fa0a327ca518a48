// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_opener.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
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

using OpenedShards = std::vector<absl::StatusOr<std::unique_ptr<DbHandle>>>;

absl::Status FirstError(const OpenedShards& opened) {
  for (size_t i = 0; i < opened.size(); ++i) {
    if (!opened[i].ok()) {
      return Annotate(opened[i].status(), absl::StrCat("shard ", i));
    }
  }
  return absl::OkStatus();
}

// Whether a shard holds no entry, as far as can be read.
bool IsEmpty(DbHandle* shard) {
  const std::unique_ptr<leveldb::Iterator> iterator(
      shard->NewIterator(leveldb::ReadOptions()));
  iterator->SeekToFirst();
  return !iterator->Valid() && iterator->status().ok();
}

// Some folders hold a database and others do not. That is a creation cut short,
// to be finished, only if there is no entry yet; otherwise a folder is lost.
absl::Status CheckNoEntries(const std::vector<std::string>& paths,
                            const ShardOptions& options,
                            const OpenedShards& opened,
                            const std::vector<size_t>& there,
                            const std::vector<size_t>& not_there) {
  const auto with_entries = std::find_if(
      there.begin(), there.end(),
      [&](size_t i) { return opened[i].ok() && !IsEmpty(opened[i]->get()); });
  if (with_entries == there.end()) return absl::OkStatus();
  ShardOptions only_if_there = options;
  only_if_there.leveldb.create_if_missing = false;
  for (const size_t i : not_there) {
    // There may be more to say of it: a file, damaged, no right to look.
    const absl::Status status = OpenLevelDb(paths[i], only_if_there).status();
    if (!status.ok() && !absl::IsNotFound(status)) {
      return Annotate(status, absl::StrCat("shard ", i));
    }
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "shard ", not_there[0], ": ", paths[not_there[0]],
      ": no database, but shard ", *with_entries, ", ", paths[*with_entries],
      ", holds entries: it is not mounted, was lost, or is not of this set "
      "(reshard adds shards to a set)"));
}

// Closes all that is open, and removes the databases and folders that were not
// there before and hold nothing.
void CloseAndRemoveNew(leveldb::Env* env, const std::vector<std::string>& paths,
                       const std::set<std::string>& missing,
                       OpenedShards* opened) {
  leveldb::Options destroy;
  destroy.env = env;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (!(*opened)[i].ok() || *(*opened)[i] == nullptr) continue;
    // Another process may have made it, and written to it, before we opened it.
    const bool is_new = missing.count(CanonicalPath(paths[i])) > 0 &&
                        IsEmpty((*opened)[i]->get());
    (*opened)[i]->reset();
    if (is_new) leveldb::DestroyDB(paths[i], destroy).ok();
  }
  // Longer paths first, so what lies in a folder goes before it does. Folders
  // that hold anything stay.
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
    env->RemoveDir(*folder).ok();
  }
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
  const std::set<std::string> missing = MissingFolders(env, paths);
  std::vector<size_t> there, not_there;  // shards with and without a database
  for (size_t i = 0; i < count; ++i) {
    (env->FileExists(paths[i] + "/CURRENT") ? there : not_there).push_back(i);
  }
  OpenedShards opened(count);
  const auto open_all = [&](const std::vector<size_t>& indices) {
    ParallelFor(indices.size(), kMaxOpenThreads, [&](size_t i) {
      opened[indices[i]] = OpenLevelDb(paths[indices[i]], shared);
    });
  };
  open_all(there);
  if (!not_there.empty() && options.leveldb.create_if_missing) {
    status = CheckNoEntries(paths, shared, opened, there, not_there);
  }
  if (status.ok()) {
    open_all(not_there);
    status = FirstError(opened);
  }
  if (!status.ok()) {
    CloseAndRemoveNew(env, paths, missing, &opened);
    return status;
  }

  std::vector<std::unique_ptr<DbHandle>> shards;
  shards.reserve(count);
  for (auto& shard : opened) shards.push_back(*std::move(shard));
  return shards;
}

}  // namespace shardingdb
