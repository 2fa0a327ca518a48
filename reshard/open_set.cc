// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/open_set.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "reshard/scan_meter.h"
#include "reshard/storage_error.h"
#include "shardingdb/applied_lsn.h"
#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

// Keeps what LevelDB says of a damaged log: its status does not name the file.
class DropLogger : public leveldb::Logger {
 public:
  void Logv(const char* format, std::va_list arguments) override {
    char line[1000];
    std::vsnprintf(line, sizeof(line), format, arguments);
    if (!absl::StrContains(line, "dropping ")) return;
    absl::MutexLock lock(&mutex_);
    if (dropped_.empty()) dropped_ = line;
  }

  std::string dropped() {
    absl::MutexLock lock(&mutex_);
    return dropped_;
  }

 private:
  absl::Mutex mutex_;
  std::string dropped_ ABSL_GUARDED_BY(mutex_);
};

std::shared_ptr<SharedResources> ResourcesFor(leveldb::Env* env, size_t count) {
  ResourceOptions options;
  options.shard_count =
      static_cast<uint32_t>(std::clamp<size_t>(count, 1, kMaxShards));
  options.env = env;
  return SharedResources::New(options);
}

}  // namespace

OpenSet::OpenSet(leveldb::Env* env, size_t count)
    : env_(env), resources_(ResourcesFor(env, count)), open_(count) {}

OpenSet::~OpenSet() {
  if (reserved_) resources_->file_budget(resources_->env())->Release();
}

absl::Status OpenSet::CheckFileLimit() {
  FileBudget* const budget = resources_->file_budget(resources_->env());
  if (budget == nullptr || reserved_) return absl::OkStatus();
  const absl::StatusOr<FileBudget::Share> share = budget->Admit();
  reserved_ = share.ok();
  return share.status();
}

absl::Status OpenSet::OpenToRead(size_t i, const std::string& folder) {
  ShardOptions options;
  options.leveldb.paranoid_checks = true;
  options.leveldb.env = env_;
  options.read_only = true;
  return OpenWith(i, folder, std::move(options));
}

absl::Status OpenSet::OpenToWrite(size_t i, const std::string& folder,
                                  const WriteMode& mode) {
  ShardOptions options;
  options.leveldb.create_if_missing = mode.create;
  options.leveldb.paranoid_checks = !mode.accept_torn_log;
  options.leveldb.env = env_;
  options.allow_unfinished_reshard = true;
  if (!mode.compress) options.leveldb.compression = leveldb::kNoCompression;
  return OpenWith(i, folder, std::move(options));
}

absl::Status OpenSet::OpenWith(size_t i, const std::string& folder,
                               ShardOptions options) {
  if (resources_->compaction_threads() == 0) {
    return absl::ResourceExhaustedError(
        absl::StrCat(folder, ": cannot start any thread (see `ulimit -u`)"));
  }
  auto log = std::make_unique<DropLogger>();
  options.leveldb.info_log = log.get();
  options.resources = resources_;
  absl::StatusOr<std::unique_ptr<DbHandle>> db = OpenLevelDb(folder, options);
  if (!db.ok()) {
    absl::Status status = db.status();
    const std::string dropped = log->dropped();
    if (!dropped.empty()) {
      status = absl::Status(status.code(),
                            absl::StrCat(status.message(), "; ", dropped));
    }
    return NameDamage(env_, folder, status);
  }
  // What reading it finds wrong otherwise is for those who read.
  const absl::StatusOr<std::optional<AppliedLsn>> applied =
      ReadAppliedLsn(db->get());
  if (applied.ok() && applied->has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        folder,
        ": was written with a commit log, and its set was not closed since: "
        "open the set once with that log (WithCommitLog), and close it"));
  }
  open_[i].folder = folder;
  open_[i].log = std::move(log);
  open_[i].db = *std::move(db);
  open_[i].stored = open_[i].db.get();
  return absl::OkStatus();
}

absl::Status OpenSet::OpenValues(size_t i, std::shared_ptr<const Aead> aead) {
  if (aead == nullptr) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<EncryptedDbHandle>> db =
      EncryptedDbHandle::New(std::move(open_[i].db), std::move(aead));
  if (!db.ok()) return db.status();
  open_[i].db = *std::move(db);
  return absl::OkStatus();
}

std::vector<UnionSource> OpenSet::sources() const {
  std::vector<UnionSource> sources;
  for (const Open& open : open_) {
    if (open.db != nullptr) sources.push_back({open.db.get(), open.folder});
  }
  return sources;
}

std::vector<size_t> OpenSet::numbers() const {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < open_.size(); ++i) {
    if (is_open(i)) numbers.push_back(i);
  }
  return numbers;
}

uint64_t OpenSet::ApproximateSize(size_t i) const {
  return shardingdb::ApproximateSize(db(i));
}

uint64_t OpenSet::ApproximateSizeOfAll() const {
  uint64_t size = 0;
  for (size_t i : numbers()) size += ApproximateSize(i);
  return size;
}

absl::Status OpenSet::Close() {
  absl::Status first;
  for (Open& open : open_) {
    if (open.db == nullptr) continue;
    const absl::Status status =
        StorageError(env_, open.folder, open.db->Close());
    if (first.ok()) first = status;
    open.db.reset();
  }
  return first;
}

}  // namespace shardingdb
