// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_folder.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "shardingdb/database_lock.h"
#include "shardingdb/new_folders.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// The names that LevelDB gives to its files.
constexpr char kCurrent[] = "CURRENT";
constexpr char kLock[] = "LOCK";
constexpr char kLog[] = "LOG";
constexpr char kOldLog[] = "LOG.old";

bool IsTable(absl::string_view name) {
  return absl::EndsWith(name, ".ldb") || absl::EndsWith(name, ".sst");
}

bool IsLog(absl::string_view name) { return absl::EndsWith(name, ".log"); }

bool IsManifest(absl::string_view name) {
  return absl::StartsWith(name, "MANIFEST-");
}

bool IsLinkToNothing(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_symlink(path, ignored) &&
         std::filesystem::status(path, ignored).type() ==
             std::filesystem::file_type::not_found;
}

// `path`, of which the Env says that it is not there, or a folder above, may be
// a link to nothing, in place of which none can be made.
absl::Status CheckNoLinkToNothing(std::filesystem::path path) {
  for (; path.has_relative_path(); path = path.parent_path()) {
    if (!IsLinkToNothing(path)) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(path.string(), ": is a symbolic link to nothing"));
  }
  return absl::OkStatus();
}

// Files that LevelDB makes when it opens a database and that hold no entries.
bool IsMadeByOpening(absl::string_view name) {
  return name == kCurrent || name == kLog || name == kOldLog ||
         IsManifest(name) || absl::EndsWith(name, ".dbtmp") || IsLog(name);
}

}  // namespace

ShardFolder::ShardFolder(leveldb::Env* env, std::string path, NewFolders* above)
    : env_(env),
      given_path_(std::move(path)),
      above_(above),
      path_(given_path_) {}

absl::Status ShardFolder::Check(const Rules& rules) {
  if (given_path_.empty()) {
    return absl::InvalidArgumentError("the path of a database is empty");
  }
  if (given_path_.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("the path of a database has a zero byte after \"",
                     given_path_.c_str(), "\""));
  }
  std::vector<std::string> names;
  const leveldb::Status status = env_->GetChildren(path_, &names);
  if (status.IsNotFound()) {
    const absl::Status no_link = CheckNoLinkToNothing(path_);
    if (!no_link.ok()) return AnnotatePath(no_link, given_path_);
  } else if (!status.ok()) {
    return Error(status);
  }
  had_files_ = std::set<std::string>(names.begin(), names.end());
  had_database_ = had_files_.count(kCurrent) > 0;

  const absl::Status no_reshard = CheckNoReshard(rules);
  if (!no_reshard.ok()) return no_reshard;
  const absl::Status files = CheckFilesAreFiles();
  if (!files.ok()) return files;
  if (had_database_) {
    if (!rules.error_if_exists) return absl::OkStatus();
    return absl::AlreadyExistsError(
        absl::StrCat(given_path_, ": there is a database already"));
  }
  if (HasData(names)) {
    return absl::DataLossError(absl::StrCat(
        given_path_,
        ": the database is damaged: it has data files but no CURRENT, and "
        "opening it now would delete them. Bring the folder back from a copy; "
        "without one, leveldb::RepairDB keeps the newest version of each key "
        "that it can read, and may bring back what was deleted "
        "(docs/user-guide.md)"));
  }
  if (!rules.create_if_missing) {
    return absl::NotFoundError(
        absl::StrCat(given_path_, ": there is no database"));
  }
  return absl::OkStatus();
}

absl::Status ShardFolder::CheckNoReshard(const Rules& rules) const {
  if (rules.allow_unfinished_reshard ||
      !env_->FileExists(FileName(kReshardFile))) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      given_path_,
      ": an unfinished reshard: run reshard again with the same arguments "
      "to finish it (",
      FileName(kReshardFile), " says which)"));
}

absl::Status ShardFolder::CheckFilesAreFiles() const {
  std::error_code error;  // not a folder of the operating system, say
  std::filesystem::directory_iterator entry(path_, error);
  for (; !error && entry != std::filesystem::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // In a folder without a database the others are written anew or left.
    if (name != kLock && name != kLog &&
        !(had_database_ && (name == kCurrent || IsManifest(name) ||
                            IsLog(name) || IsTable(name)))) {
      continue;
    }
    std::error_code unknown;
    const std::filesystem::file_status status = entry->status(unknown);
    const bool is_other = std::filesystem::exists(status) &&
                          std::filesystem::status_known(status) &&
                          !std::filesystem::is_regular_file(status);
    if (!is_other && !IsLinkToNothing(entry->path())) continue;
    return absl::DataLossError(
        absl::StrCat(given_path_, "/", name,
                     ": is not a regular file, nor a symbolic link to one"));
  }
  return absl::OkStatus();
}

absl::Status ShardFolder::Prepare(const Rules& rules) {
  const absl::Status made = above_->Make(env_, path_, &made_folder_);
  if (!made.ok()) return AnnotatePath(made, given_path_);
  if (env_->FileExists(path_)) {
    std::error_code error;
    const std::filesystem::path canonical =
        std::filesystem::canonical(path_, error);
    if (!error) path_ = canonical.string();
  }
  absl::StatusOr<std::unique_ptr<DatabaseLock>> lock =
      DatabaseLock::Take(env_, path_);
  if (!lock.ok()) {
    // Whoever has the lock uses the folder.
    if (absl::IsFailedPrecondition(lock.status())) made_folder_ = false;
    return AnnotatePath(lock.status(), given_path_);
  }
  lock_ = *std::move(lock);
  return Check(rules);
}

void ShardFolder::RemoveWhatIsNew() {
  std::vector<std::string> names;
  if (lock_ != nullptr && !had_database_ &&
      env_->GetChildren(path_, &names).ok() && !HasData(names)) {
    RemoveNewFiles(std::move(names));
  }
  if (made_folder_) RemoveFolder();
  lock_.reset();
}

void ShardFolder::RemoveNewFiles(std::vector<std::string> names) {
  // CURRENT first, as without it there is no database, however far this gets.
  std::stable_partition(
      names.begin(), names.end(),
      [](const std::string& name) { return name == kCurrent; });
  for (const std::string& name : names) {
    if (!IsMadeByOpening(name) || had_files_.count(name) > 0) continue;
    if (name == kOldLog && had_files_.count(kLog) > 0) {
      env_->RenameFile(FileName(kOldLog), FileName(kLog));  // as it was before
    } else {
      env_->RemoveFile(FileName(name));
    }
  }
}

// The lock file goes while it is locked, and only if the folder can go, too.
void ShardFolder::RemoveFolder() {
  std::vector<std::string> names;
  if (lock_ != nullptr) {
    if (!env_->GetChildren(path_, &names).ok()) return;
    for (const std::string& name : names) {
      if (name != "." && name != ".." && name != kLockFile) return;
    }
    env_->RemoveFile(FileName(kLockFile));
  }
  env_->RemoveDir(path_);
}

bool ShardFolder::HasData(const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    if (IsTable(name)) return true;
    uint64_t size = 0;
    if (IsLog(name) && env_->GetFileSize(FileName(name), &size).ok() &&
        size > 0) {
      return true;
    }
  }
  return false;
}

absl::Status ShardFolder::Error(const leveldb::Status& status) const {
  return AnnotatePath(ToAbslStatus(status), given_path_);
}

std::string ShardFolder::FileName(const std::string& name) const {
  return absl::StrCat(path_, "/", name);
}

}  // namespace shardingdb
