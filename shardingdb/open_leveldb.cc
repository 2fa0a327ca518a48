// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdarg>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "shardingdb/db_handle.h"
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

absl::Status OpenIn(const std::string& path, ShardFolder* folder,
                    const ShardFolder::Rules& rules, leveldb::Options options,
                    OpenDatabase* database) {
  const absl::Status prepared = folder->Prepare(rules);
  if (!prepared.ok()) return prepared;
  auto env = std::make_unique<OpeningEnv>(options.env);
  OpeningEnv* const opening_env = env.get();
  database->opening_env = std::move(env);
  options.env = opening_env;
  // LevelDB looks for it once more, takes a failure to look for a database that
  // is missing, and would make a new one over it.
  if (folder->had_database()) options.create_if_missing = false;
  leveldb::DB* db = nullptr;
  const leveldb::Status status =
      leveldb::DB::Open(options, folder->path(), &db);
  if (!status.ok()) {
    return OpenError(path, *folder, status, opening_env->last_read());
  }
  database->db.reset(db);
  database->lock = folder->lock();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OpenedShard> OpenShard(const std::string& path,
                                      const ShardOptions& options,
                                      NewFolders* above) {
  if (options.leveldb.comparator == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the comparator is null"));
  }
  auto database = std::make_shared<OpenDatabase>();
  database->resources = options.resources != nullptr
                            ? options.resources
                            : SharedResources::Default();
  leveldb::Options tuned = database->resources->Tune(options.leveldb);
  database->block_cache = tuned.block_cache;
  database->logger = options.logger;

  FileBudget* const budget = database->resources->file_budget(tuned.env);
  leveldb::Env* folder_env = static_cast<PoolEnv*>(tuned.env)->target();
  std::shared_ptr<ReadOnlyEnv> read_only_env;
  if (options.read_only) {
    read_only_env = std::make_shared<ReadOnlyEnv>(tuned.env);
    database->read_only_env = read_only_env;
    folder_env = read_only_env.get();
    tuned.env = folder_env;
    tuned.create_if_missing = false;
    tuned.reuse_logs = false;
  }

  auto folder = std::make_unique<ShardFolder>(folder_env, path, above);
  const ShardFolder::Rules rules = {tuned.create_if_missing,
                                    tuned.error_if_exists,
                                    options.allow_unfinished_reshard};
  absl::Status status = folder->Check(rules);
  if (!status.ok()) return status;

  if (budget != nullptr) {
    const absl::StatusOr<FileBudget::Share> share = budget->Admit();
    if (!share.ok()) return Annotate(share.status(), path);
    database->file_share = std::make_unique<FileShare>(budget);
    if (!share->log_file && tuned.info_log == nullptr &&
        options.logger == nullptr) {
      database->logger = std::make_shared<NoLog>();
    }
  }
  if (database->logger != nullptr) tuned.info_log = database->logger.get();

  status = OpenIn(path, folder.get(), rules, tuned, database.get());
  if (!status.ok()) {
    folder->RemoveWhatIsNew();
    return status;
  }
  if (read_only_env != nullptr) read_only_env->Freeze();
  OpenedShard shard;
  shard.read_only_env = std::move(read_only_env);
  shard.folder = std::move(folder);
  shard.handle =
      NewLevelDbHandle(std::move(database), options.leveldb.comparator);
  return shard;
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
