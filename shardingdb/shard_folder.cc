// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
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
#include "shardingdb/durable_folder.h"
#include "shardingdb/folder_claim.h"
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

// Files that LevelDB makes when it opens a database and that hold no entries.
bool IsMadeByOpening(absl::string_view name) {
  return name == kCurrent || name == kLog || name == kOldLog ||
         absl::StartsWith(name, "MANIFEST-") ||
         absl::EndsWith(name, ".dbtmp") || IsLog(name);
}

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

ShardFolder::ShardFolder(leveldb::Env* env, std::string path)
    : env_(env), given_path_(std::move(path)), path_(given_path_) {}

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
  if (!status.ok() && !status.IsNotFound()) return Error(status);
  had_files_.insert(names.begin(), names.end());
  had_database_ = had_files_.count(kCurrent) > 0;

  const absl::Status no_reshard = CheckNoReshard(rules);
  if (!no_reshard.ok()) return no_reshard;
  if (had_database_) {
    if (!rules.error_if_exists) return absl::OkStatus();
    return absl::AlreadyExistsError(
        absl::StrCat(given_path_, ": there is a database already"));
  }
  if (HasData(names)) {
    return absl::DataLossError(absl::StrCat(
        given_path_,
        ": the database is damaged: it has data files but no CURRENT "
        "(leveldb::RepairDB may help; opening it now would delete them)"));
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

absl::Status ShardFolder::Prepare() {
  const absl::Status made = MakeFolders();
  if (!made.ok()) return made;
  if (env_->FileExists(path_)) {
    std::error_code error;
    const std::filesystem::path canonical =
        std::filesystem::canonical(path_, error);
    if (!error) path_ = canonical.string();
  }
  absl::StatusOr<FolderClaim> claim = FolderClaim::Take(env_, path_);
  if (!claim.ok()) {
    made_folders_.clear();  // whoever has the claim uses them
    return absl::FailedPreconditionError(absl::StrCat(
        given_path_, ": locked: this process has the database open already"));
  }
  claim_ = std::make_shared<const FolderClaim>(*std::move(claim));
  return CheckLock();
}

absl::Status ShardFolder::MakeFolders() {
  for (const std::string& folder : WithParents(path_)) {
    if (env_->FileExists(folder)) continue;
    const bool was_on_disk = IsOnDisk(folder);
    const leveldb::Status status = env_->CreateDir(folder);
    if (status.ok()) {
      made_folders_.push_back(folder);
      if (was_on_disk || !IsOnDisk(folder)) continue;  // the Env has its own
      const absl::Status synced = SyncFolder(FolderAbove(folder));
      if (!synced.ok()) return Annotate(synced, given_path_);
    } else if (!env_->FileExists(folder)) {  // nobody else has just made it
      return Error(status);
    }
  }
  return absl::OkStatus();
}

// LevelDB renames LOG, which may be another process's, before it looks at the
// lock. So a lock that is held has to be found first.
absl::Status ShardFolder::CheckLock() {
  if (!had_database_) return absl::OkStatus();
  leveldb::FileLock* lock = nullptr;
  leveldb::Status status = env_->LockFile(lock_name(), &lock);
  if (status.ok()) status = env_->UnlockFile(lock);
  return status.ok() ? absl::OkStatus() : Error(status);
}

void ShardFolder::RemoveWhatIsNew() {
  if (claim_ != nullptr && !RemoveNewFiles()) return;
  for (auto it = made_folders_.rbegin(); it != made_folders_.rend(); ++it) {
    env_->RemoveDir(*it);
  }
}

bool ShardFolder::RemoveNewFiles() {
  std::vector<std::string> names;
  if (had_database_ || !env_->GetChildren(path_, &names).ok() ||
      HasData(names)) {
    return false;
  }
  // Whoever has the lock now may be making a database of their own.
  leveldb::FileLock* lock = nullptr;
  if (!env_->LockFile(lock_name(), &lock).ok()) return false;
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
  env_->UnlockFile(lock);
  if (had_files_.count(kLock) == 0) env_->RemoveFile(FileName(kLock));
  return true;
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

std::string ShardFolder::lock_name() const {
  return absl::StrCat(given_path_, "/", kLock);
}

absl::Status ShardFolder::Error(const leveldb::Status& status) const {
  return AnnotatePath(ToAbslStatus(status), given_path_);
}

std::string ShardFolder::FileName(const std::string& name) const {
  return absl::StrCat(path_, "/", name);
}

}  // namespace shardingdb
