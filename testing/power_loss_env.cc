// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/power_loss_env.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {
namespace {

using ::leveldb::Slice;
using ::leveldb::Status;

std::string FolderOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

absl::Status ToStatus(const std::error_code& error, const std::string& path) {
  if (!error) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(path, ": ", error.message()));
}

absl::Status Move(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  return ToStatus(error, from);
}

}  // namespace

// Performs each operation under the Env's mutex, so that none is half done when
// the power fails.
class PowerLossEnv::TrackedFile final : public leveldb::WritableFile {
 public:
  TrackedFile(PowerLossEnv* env, std::string path,
              std::shared_ptr<FileState> state, leveldb::WritableFile* base)
      : env_(env),
        path_(std::move(path)),
        state_(std::move(state)),
        base_(base) {}

  Status Append(const Slice& data) override {
    absl::MutexLock lock(&env_->mutex_);
    Status status = env_->CheckPower(path_);
    if (status.ok()) status = base_->Append(data);
    if (status.ok()) state_->written += data.size();
    return status;
  }
  Status Flush() override {
    absl::MutexLock lock(&env_->mutex_);
    return FlushLocked();
  }
  Status Sync() override {
    absl::MutexLock lock(&env_->mutex_);
    Status status = FlushLocked();
    if (!status.ok()) return status;
    state_->synced = state_->flushed;
    const std::string name = std::filesystem::path(path_).filename().string();
    if (!env_->strict_names_ || absl::StartsWith(name, "MANIFEST-")) {
      env_->MakeNamesDurable(FolderOf(path_));
    }
    return status;
  }
  Status Close() override {
    absl::MutexLock lock(&env_->mutex_);
    Status status = FlushLocked();
    const Status closed = base_->Close();
    return status.ok() ? closed : status;
  }

 private:
  Status FlushLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(env_->mutex_) {
    Status status = env_->CheckPower(path_);
    if (status.ok()) status = base_->Flush();
    if (status.ok()) state_->flushed = state_->written;
    return status;
  }

  PowerLossEnv* const env_;
  const std::string path_;
  const std::shared_ptr<FileState> state_;
  const std::unique_ptr<leveldb::WritableFile> base_;
};

PowerLossEnv::PowerLossEnv(leveldb::Env* base, const std::string& trash,
                           bool strict_names)
    : EnvWrapper(base), trash_(trash), strict_names_(strict_names) {
  std::error_code ignored;
  std::filesystem::create_directories(trash_, ignored);
}

PowerLossEnv::~PowerLossEnv() = default;

void PowerLossEnv::CutPower() {
  absl::MutexLock lock(&mutex_);
  power_ = false;
}

Status PowerLossEnv::CheckPower(const std::string& path) const {
  return power_ ? Status::OK() : Status::IOError(path, "power is off");
}

absl::Status PowerLossEnv::RestorePower(const PowerLoss& loss) {
  absl::MutexLock lock(&mutex_);
  if (power_) return absl::FailedPreconditionError("the power is on");
  std::mt19937_64 random(loss.seed);

  // How many changes of each folder stay, counted from the oldest.
  std::map<std::string, uint64_t> stay;
  for (const Change& change : changes_) ++stay[change.folder];
  for (auto& [folder, count] : stay) {
    if (loss.unsynced == PowerLoss::Unsynced::kLost) count = 0;
    if (loss.unsynced == PowerLoss::Unsynced::kRandom) {
      count = random() % (count + 1);
    }
  }
  std::vector<const Change*> lost;
  for (const Change& change : changes_) {
    uint64_t& count = stay[change.folder];
    if (count > 0) {
      --count;
    } else {
      lost.push_back(&change);
    }
  }
  std::reverse(lost.begin(), lost.end());
  for (const Change* change : lost) {
    absl::Status status = TakeBack(*change);
    if (!status.ok()) return status;
  }
  changes_.clear();

  for (const auto& [path, state] : files_) {
    uint64_t size = state->synced;
    if (loss.unsynced == PowerLoss::Unsynced::kKept) size = state->flushed;
    if (loss.unsynced == PowerLoss::Unsynced::kRandom) {
      size += random() % (state->flushed - state->synced + 1);
    }
    std::error_code error;
    std::filesystem::resize_file(path, size, error);
    if (error) return ToStatus(error, path);
    *state = {size, size, size};
  }
  power_ = true;
  return absl::OkStatus();
}

absl::Status PowerLossEnv::TakeBack(const Change& change) {
  std::string place = change.path;
  if (change.kind == Change::Kind::kCreate) {
    files_.erase(change.path);
    std::error_code error;
    std::filesystem::remove(change.path, error);
    if (error) return ToStatus(error, change.path);
  } else if (change.kind == Change::Kind::kRename) {
    absl::Status status = Move(change.to, change.path);
    if (!status.ok()) return status;
    files_.erase(change.path);
    if (auto node = files_.extract(change.to)) {
      node.key() = change.path;
      files_.insert(std::move(node));
    }
    place = change.to;
  }
  if (change.replaced.empty()) return absl::OkStatus();
  if (change.replaced_state != nullptr) files_[place] = change.replaced_state;
  return Move(change.replaced, place);
}

void PowerLossEnv::MakeNamesDurable(const std::string& folder) {
  const auto durable = [&folder](const Change& change) {
    return change.folder == folder;
  };
  for (const Change& change : changes_) {
    if (durable(change) && !change.replaced.empty()) {
      std::error_code ignored;
      std::filesystem::remove(change.replaced, ignored);
    }
  }
  changes_.erase(std::remove_if(changes_.begin(), changes_.end(), durable),
                 changes_.end());
}

void PowerLossEnv::SyncFolder(const std::string& folder) {
  absl::MutexLock lock(&mutex_);
  if (power_) MakeNamesDurable(folder);
}

Status PowerLossEnv::MoveToTrash(const std::string& path, Change* change) {
  if (!target()->FileExists(path)) return Status::OK();
  change->replaced = absl::StrCat(trash_, "/", trashed_++);
  if (auto node = files_.extract(path)) {
    change->replaced_state = std::move(node.mapped());
  }
  return target()->RenameFile(path, change->replaced);
}

Status PowerLossEnv::NewSequentialFile(const std::string& path,
                                       leveldb::SequentialFile** result) {
  *result = nullptr;
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(path);
  return status.ok() ? target()->NewSequentialFile(path, result) : status;
}

Status PowerLossEnv::NewRandomAccessFile(const std::string& path,
                                         leveldb::RandomAccessFile** result) {
  *result = nullptr;
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(path);
  return status.ok() ? target()->NewRandomAccessFile(path, result) : status;
}

Status PowerLossEnv::NewWritableFile(const std::string& path,
                                     leveldb::WritableFile** result) {
  *result = nullptr;
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(path);
  Change change;
  change.folder = FolderOf(path);
  change.path = path;
  if (status.ok()) status = MoveToTrash(path, &change);
  if (status.ok()) status = target()->NewWritableFile(path, result);
  if (!status.ok()) return status;
  changes_.push_back(std::move(change));
  const auto state = std::make_shared<FileState>();
  files_[path] = state;
  *result = new TrackedFile(this, path, state, *result);
  return status;
}

Status PowerLossEnv::NewAppendableFile(const std::string& path,
                                       leveldb::WritableFile** result) {
  *result = nullptr;
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(path);
  if (!status.ok()) return status;
  uint64_t size = 0;
  const bool existed = target()->FileExists(path);
  if (existed) status = target()->GetFileSize(path, &size);
  if (status.ok()) status = target()->NewAppendableFile(path, result);
  if (!status.ok()) return status;
  if (!existed) {
    Change change;
    change.folder = FolderOf(path);
    change.path = path;
    changes_.push_back(std::move(change));
  }
  std::shared_ptr<FileState>& state = files_[path];
  if (state == nullptr) {
    state = std::make_shared<FileState>(FileState{size, size, size});
  }
  *result = new TrackedFile(this, path, state, *result);
  return status;
}

Status PowerLossEnv::GetChildren(const std::string& folder,
                                 std::vector<std::string>* result) {
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(folder);
  return status.ok() ? target()->GetChildren(folder, result) : status;
}

Status PowerLossEnv::RemoveFile(const std::string& path) {
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(path);
  if (!status.ok()) return status;
  if (!target()->FileExists(path)) return target()->RemoveFile(path);
  Change change;
  change.kind = Change::Kind::kRemove;
  change.folder = FolderOf(path);
  change.path = path;
  status = MoveToTrash(path, &change);
  if (status.ok()) changes_.push_back(std::move(change));
  return status;
}

Status PowerLossEnv::CreateDir(const std::string& folder) {
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(folder);
  return status.ok() ? target()->CreateDir(folder) : status;
}

Status PowerLossEnv::RemoveDir(const std::string& folder) {
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(folder);
  return status.ok() ? target()->RemoveDir(folder) : status;
}

Status PowerLossEnv::RenameFile(const std::string& from,
                                const std::string& to) {
  absl::MutexLock lock(&mutex_);
  Status status = CheckPower(from);
  if (!status.ok()) return status;
  if (!target()->FileExists(from)) return target()->RenameFile(from, to);
  Change change;
  change.kind = Change::Kind::kRename;
  change.folder = FolderOf(from);
  change.path = from;
  change.to = to;
  status = MoveToTrash(to, &change);
  if (status.ok()) status = target()->RenameFile(from, to);
  if (!status.ok()) return status;
  changes_.push_back(std::move(change));
  if (auto node = files_.extract(from)) {
    node.key() = to;
    files_.insert(std::move(node));
  }
  return status;
}

Status PowerLossEnv::LockFile(const std::string& path,
                              leveldb::FileLock** lock) {
  *lock = nullptr;
  absl::MutexLock power_lock(&mutex_);
  Status status = CheckPower(path);
  return status.ok() ? target()->LockFile(path, lock) : status;
}

}  // namespace shardingdb
