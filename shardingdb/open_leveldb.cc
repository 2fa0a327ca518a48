// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdarg>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/file_budget.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/new_folders.h"
#include "shardingdb/open_database.h"
#include "shardingdb/open_shard.h"
#include "shardingdb/pool_env.h"
#include "shardingdb/printable.h"
#include "shardingdb/read_only_env.h"
#include "shardingdb/shard_folder.h"
#include "shardingdb/shared_resources.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// What LevelDB gets for an information log where no file is to be spent on it.
class NoLog final : public leveldb::Logger {
 public:
  void Logv(const char*, std::va_list) override {}
};

// What LevelDB opens a database through. It knows which file is being read, and
// that the database is locked already, by its ShardFolder.
class OpeningEnv final : public leveldb::EnvWrapper {
 public:
  using leveldb::EnvWrapper::EnvWrapper;

  leveldb::Status LockFile(const std::string& /*name*/,
                           leveldb::FileLock** lock) override {
    *lock = new leveldb::FileLock();
    return leveldb::Status::OK();
  }
  leveldb::Status UnlockFile(leveldb::FileLock* lock) override {
    delete lock;
    return leveldb::Status::OK();
  }

  leveldb::Status NewSequentialFile(const std::string& name,
                                    leveldb::SequentialFile** file) override {
    Remember(name);
    return target()->NewSequentialFile(name, file);
  }

  leveldb::Status NewRandomAccessFile(
      const std::string& name, leveldb::RandomAccessFile** file) override {
    Remember(name);
    return target()->NewRandomAccessFile(name, file);
  }

  // The file that was opened last to read it; empty if none was.
  std::string last_read() {
    absl::MutexLock lock(&mutex_);
    return last_read_;
  }

 private:
  void Remember(const std::string& name) {
    absl::MutexLock lock(&mutex_);
    last_read_ = name;
  }

  absl::Mutex mutex_;
  std::string last_read_ ABSL_GUARDED_BY(mutex_);
};

// `text`, which may begin with LevelDB's name of `folder`, in the words of who
// gave `path`, and Printable.
std::string AsGiven(absl::string_view text, const ShardFolder& folder,
                    const std::string& path) {
  std::string printable = Printable(text);
  const std::string given = Printable(path);
  absl::string_view rest = printable;
  const bool is_replaced = !absl::StartsWith(printable, given) &&
                           absl::ConsumePrefix(&rest, Printable(folder.path()));
  return is_replaced ? absl::StrCat(given, rest) : printable;
}

// How a database opens of which `file` is damaged.
absl::string_view WayOut(absl::string_view file) {
  return absl::EndsWith(file, ".log")
             ? " (opened without paranoid_checks, or after leveldb::RepairDB, "
               "the database lacks what cannot be read)"
             : " (leveldb::RepairDB may help)";
}

// Why leveldb::DB::Open failed, in the codes that OpenLevelDb promises. LevelDB
// knew the folder under another name than `path`, and does not say of damage
// where it is: in `last_read`, then.
absl::Status OpenError(const std::string& path, const ShardFolder& folder,
                       const leveldb::Status& status,
                       const std::string& last_read) {
  const absl::Status converted = ToAbslStatus(status);
  const std::string message = AsGiven(converted.message(), folder, path);
  absl::StatusCode code = converted.code();
  std::string place = path;
  absl::string_view hint;
  if (absl::StrContains(message, "does not match existing comparator")) {
    code = absl::StatusCode::kFailedPrecondition;
  } else if (folder.had_database() &&
             absl::StrContains(message, "(create_if_missing is false)")) {
    // Not asked for by the caller, but by OpenLevelDb.
    return absl::UnavailableError(
        absl::StrCat(path, ": the database was there, but is not seen now"));
  } else if (absl::StrContains(message, "(error_if_exists is true)")) {
    code = absl::StatusCode::kAlreadyExists;
  } else if (code == absl::StatusCode::kNotFound) {
    // Not the database as such: one of its files.
    code = folder.had_database() ? absl::StatusCode::kDataLoss
                                 : absl::StatusCode::kUnavailable;
  } else if (code == absl::StatusCode::kDataLoss && !last_read.empty() &&
             !absl::StrContains(status.ToString(), folder.path())) {
    place = AsGiven(last_read, folder, path);
    hint = WayOut(last_read);
  } else if (absl::EndsWith(message, "open files")) {
    hint = " (ulimit -n raises the limit)";
  }
  return AnnotatePath(absl::Status(code, absl::StrCat(message, hint)), place);
}

}  // namespace

struct PreparedShard::Parts {
  std::string path;  // as given
  const leveldb::Comparator* comparator = nullptr;
  leveldb::Options options;  // tuned
  std::shared_ptr<ReadOnlyEnv> read_only_env;
  std::shared_ptr<OpenDatabase> database;
  std::unique_ptr<ShardFolder> folder;
  bool opened = false;

  absl::Status Prepare(const ShardOptions& given, NewFolders* above);

  // Opens the folder through `env`, with what is in `options` otherwise.
  absl::Status OpenThrough(leveldb::Env* env, leveldb::Options with,
                           OpenDatabase* into) const;
};

absl::Status PreparedShard::Parts::Prepare(const ShardOptions& given,
                                           NewFolders* above) {
  database = std::make_shared<OpenDatabase>();
  database->resources =
      given.resources != nullptr ? given.resources : SharedResources::Default();
  options = database->resources->Tune(given.leveldb);
  database->block_cache = options.block_cache;
  database->logger = given.logger;

  FileBudget* const budget = database->resources->file_budget(options.env);
  leveldb::Env* folder_env = static_cast<PoolEnv*>(options.env)->target();
  if (given.read_only) {
    read_only_env = std::make_shared<ReadOnlyEnv>(options.env);
    database->read_only_env = read_only_env;
    folder_env = read_only_env.get();
    options.env = folder_env;
    options.create_if_missing = false;
    options.reuse_logs = false;
  }

  folder = std::make_unique<ShardFolder>(folder_env, path, above);
  const ShardFolder::Rules rules = {options.create_if_missing,
                                    options.error_if_exists,
                                    given.allow_unfinished_reshard};
  const absl::Status status = folder->Check(rules);
  if (!status.ok()) return status;

  if (budget != nullptr) {
    const absl::StatusOr<FileBudget::Share> share = budget->Admit();
    if (!share.ok()) return Annotate(share.status(), path);
    database->file_share = std::make_unique<FileShare>(budget);
    if (!share->log_file && options.info_log == nullptr &&
        given.logger == nullptr) {
      database->logger = std::make_shared<NoLog>();
    }
  }
  if (database->logger != nullptr) options.info_log = database->logger.get();
  return folder->Prepare(rules);
}

absl::Status PreparedShard::Parts::OpenThrough(leveldb::Env* env,
                                               leveldb::Options with,
                                               OpenDatabase* into) const {
  auto opening = std::make_unique<OpeningEnv>(env);
  OpeningEnv* const opening_env = opening.get();
  into->opening_env = std::move(opening);
  with.env = opening_env;
  // LevelDB looks for it once more, takes a failure to look for a database that
  // is missing, and would make a new one over it.
  if (folder->had_database()) with.create_if_missing = false;
  leveldb::DB* db = nullptr;
  const leveldb::Status status = leveldb::DB::Open(with, folder->path(), &db);
  if (!status.ok()) {
    return OpenError(path, *folder, status, opening_env->last_read());
  }
  into->db.reset(db);
  return absl::OkStatus();
}

PreparedShard::PreparedShard(std::unique_ptr<Parts> parts)
    : parts_(std::move(parts)) {}

PreparedShard::~PreparedShard() {
  if (!parts_->opened) parts_->folder->RemoveWhatIsNew();
}

absl::StatusOr<std::unique_ptr<PreparedShard>> PreparedShard::New(
    const std::string& path, const ShardOptions& options, NewFolders* above) {
  if (options.leveldb.comparator == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the comparator is null"));
  }
  if (options.leveldb.compression != leveldb::kNoCompression &&
      options.leveldb.compression != leveldb::kSnappyCompression) {
    // LevelDB would write what it cannot read.
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": there is no compression of number ",
                     static_cast<int>(options.leveldb.compression)));
  }
  auto parts = std::make_unique<Parts>();
  parts->path = path;
  parts->comparator = options.leveldb.comparator;
  const absl::Status status = parts->Prepare(options, above);
  std::unique_ptr<PreparedShard> shard(new PreparedShard(std::move(parts)));
  if (!status.ok()) return status;
  return shard;
}

absl::Status PreparedShard::Look(absl::FunctionRef<void(DbHandle*)> look) {
  auto database = std::make_shared<OpenDatabase>();
  database->resources = parts_->database->resources;
  database->logger = std::make_shared<NoLog>();
  const auto env = std::make_shared<ReadOnlyEnv>(parts_->options.env);
  database->read_only_env = env;
  leveldb::Options options = parts_->options;
  options.info_log = database->logger.get();
  options.reuse_logs = false;
  const absl::Status status =
      parts_->OpenThrough(env.get(), options, database.get());
  if (!status.ok()) return status;
  env->Freeze();
  const std::unique_ptr<DbHandle> handle =
      NewLevelDbHandle(std::move(database), parts_->comparator);
  look(handle.get());
  return absl::OkStatus();
}

absl::StatusOr<OpenedShard> PreparedShard::Open() {
  Parts& parts = *parts_;
  parts.opened = true;
  const absl::Status status =
      parts.OpenThrough(parts.options.env, parts.options, parts.database.get());
  if (!status.ok()) {
    parts.folder->RemoveWhatIsNew();
    return status;
  }
  parts.database->lock = parts.folder->lock();
  if (parts.read_only_env != nullptr) parts.read_only_env->Freeze();
  OpenedShard shard;
  shard.read_only_env = std::move(parts.read_only_env);
  shard.folder = std::move(parts.folder);
  shard.handle = NewLevelDbHandle(std::move(parts.database), parts.comparator);
  return shard;
}

absl::StatusOr<OpenedShard> OpenShard(const std::string& path,
                                      const ShardOptions& options,
                                      NewFolders* above) {
  absl::StatusOr<std::unique_ptr<PreparedShard>> shard =
      PreparedShard::New(path, options, above);
  if (!shard.ok()) return shard.status();
  return (*shard)->Open();
}

absl::StatusOr<std::unique_ptr<DbHandle>> OpenLevelDb(
    const std::string& path, const ShardOptions& options) {
  NewFolders above;
  absl::StatusOr<OpenedShard> shard = OpenShard(path, options, &above);
  if (!shard.ok()) {
    above.RemoveEmpty();
    return shard.status();
  }
  return std::move(shard->handle);
}

}  // namespace shardingdb
