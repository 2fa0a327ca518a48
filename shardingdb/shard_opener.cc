// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_opener.h"

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shardingdb/new_folders.h"
#include "shardingdb/open_shard.h"
#include "shardingdb/set_labels.h"
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

// One shard on its way from a path to a handle.
struct Opening {
  absl::Status status;                      // of the last step
  std::unique_ptr<PreparedShard> prepared;  // null where there is no database
  std::optional<OpenedShard> opened;
};

// The error of the lowest shard that failed. One that has no database is not
// counted with `may_be_missing`.
absl::Status FirstError(const std::vector<Opening>& shards,
                        bool may_be_missing) {
  for (size_t i = 0; i < shards.size(); ++i) {
    const absl::Status& status = shards[i].status;
    if (status.ok() || (may_be_missing && absl::IsNotFound(status))) continue;
    return Annotate(status, absl::StrCat("shard ", i));
  }
  return absl::OkStatus();
}

// One attempt to open the folders `paths` as a set.
class SetOpening {
 public:
  SetOpening(const std::vector<std::string>& paths, ShardOptions options,
             const SetLayoutWanted& wanted)
      : paths_(paths),
        options_(std::move(options)),
        wanted_(wanted),
        shards_(paths.size()),
        found_(paths.size()) {}

  absl::StatusOr<OpenedSet> Run() {
    absl::Status status = PrepareThoseThere();
    if (status.ok()) status = wanted_.read_only ? OpenThoseThere() : Look();
    if (!status.ok()) return status;
    const absl::StatusOr<SetLayout> layout = DecideLayout(found_, wanted_);
    if (!layout.ok()) return layout.status();
    if (!wanted_.read_only) status = OpenThoseThere();
    if (status.ok()) status = MakeMissing();
    OpenedSet set;
    if (status.ok()) status = LabelSet(HandlesOf(*layout), *layout, wanted_);
    if (!status.ok()) return status;
    set.counted = CountsOf(HandlesOf(*layout));
    for (const size_t place : layout->place_of_shard) {
      set.shards.push_back(std::move(shards_[place].opened->handle));
    }
    return set;
  }

  // Closes all that is open, and removes what has been made.
  void Undo() {
    for (Opening& shard : shards_) {
      shard.prepared.reset();
      if (!shard.opened.has_value()) continue;
      shard.opened->handle.reset();
      shard.opened->folder->RemoveWhatIsNew();
    }
    above_.RemoveEmpty();
  }

 private:
  // Calls `step` with each shard, several at a time, for its status.
  template <typename Step>
  absl::Status ForEach(const Step& step, bool may_be_missing = false) {
    ParallelFor(shards_.size(), kMaxOpenThreads, [&](size_t i) {
      if (shards_[i].status.ok()) shards_[i].status = step(i);
    });
    return FirstError(shards_, may_be_missing);
  }

  absl::Status PrepareThoseThere() {
    const bool create = options_.leveldb.create_if_missing;
    ShardOptions only_if_there = options_;
    only_if_there.leveldb.create_if_missing = false;
    return ForEach(
        [&](size_t i) {
          found_[i].name = paths_[i];
          return Prepare(i, only_if_there);
        },
        /*may_be_missing=*/create);
  }

  absl::Status Prepare(size_t i, const ShardOptions& options) {
    absl::StatusOr<std::unique_ptr<PreparedShard>> prepared =
        PreparedShard::New(paths_[i], options, &above_);
    if (prepared.ok()) shards_[i].prepared = *std::move(prepared);
    return prepared.status();
  }

  absl::Status Look() {
    return ForEach(
        [&](size_t i) {
          absl::Status looked;
          const absl::Status status = shards_[i].prepared->Look(
              [&](DbHandle* handle) { looked = LookAt(i, handle); });
          return status.ok() ? looked : status;
        },
        /*may_be_missing=*/true);
  }

  absl::Status LookAt(size_t i, DbHandle* handle) {
    return AnnotatePath(
        LookAtShard(handle, static_cast<uint32_t>(i),
                    static_cast<uint32_t>(paths_.size()), wanted_, &found_[i]),
        paths_[i]);
  }

  absl::Status OpenThoseThere() {
    return ForEach(
        [&](size_t i) {
          const absl::Status status = Open(i);
          return status.ok() && wanted_.read_only
                     ? LookAt(i, shards_[i].opened->handle.get())
                     : status;
        },
        /*may_be_missing=*/true);
  }

  absl::Status Open(size_t i) {
    absl::StatusOr<OpenedShard> opened = shards_[i].prepared->Open();
    shards_[i].prepared.reset();
    if (opened.ok()) shards_[i].opened = *std::move(opened);
    return opened.status();
  }

  // Of several that make one set at once, the one that has its first shard goes
  // on, and the others go no further.
  absl::Status MakeMissing() {
    bool is_first = true;
    for (size_t i = 0; i < shards_.size() && is_first; ++i) {
      if (shards_[i].opened.has_value()) continue;
      shards_[i].status = Make(i);
      if (!shards_[i].status.ok()) {
        return Annotate(shards_[i].status, absl::StrCat("shard ", i));
      }
      is_first = false;
    }
    for (Opening& shard : shards_) shard.status = absl::OkStatus();
    return ForEach([&](size_t i) {
      return shards_[i].opened.has_value() ? absl::OkStatus() : Make(i);
    });
  }

  absl::Status Make(size_t i) {
    const absl::Status status = Prepare(i, options_);
    return status.ok() ? Open(i) : status;
  }

  // By shard.
  std::vector<DbHandle*> HandlesOf(const SetLayout& layout) const {
    std::vector<DbHandle*> handles;
    for (const size_t place : layout.place_of_shard) {
      handles.push_back(shards_[place].opened->handle.get());
    }
    return handles;
  }

  const std::vector<std::string>& paths_;
  const ShardOptions options_;
  const SetLayoutWanted& wanted_;
  NewFolders above_;
  std::vector<Opening> shards_;
  std::vector<FoundShard> found_;
};

}  // namespace

absl::StatusOr<OpenedSet> OpenShards(const std::vector<std::string>& paths,
                                     const ShardOptions& options,
                                     const ResourceOptions& resources,
                                     const SetLayoutWanted& wanted) {
  const absl::Status status = CheckPaths(paths);
  if (!status.ok()) return status;
  ShardOptions shared = options;
  shared.resources = SharedResources::New(resources);
  SetOpening opening(paths, std::move(shared), wanted);
  absl::StatusOr<OpenedSet> set = opening.Run();
  if (!set.ok()) opening.Undo();
  return set;
}

}  // namespace shardingdb
