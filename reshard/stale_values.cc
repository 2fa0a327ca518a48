// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/stale_values.h"

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/table.h"
#include "reshard/bulk_read.h"
#include "reshard/durable.h"
#include "reshard/storage_error.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

constexpr int kAttempts = 6;

// What LevelDB adds to a key in a table: a number and whether it is deleted, in
// the lowest byte of the 8.
constexpr size_t kKeyTrailer = 8;

leveldb::Slice UserKey(const leveldb::Slice& stored_key) {
  return {stored_key.data(), stored_key.size() - kKeyTrailer};
}

bool IsDelete(const leveldb::Slice& stored_key) {
  return stored_key[stored_key.size() - kKeyTrailer] == 0;
}

// Calls `visit` with an iterator over the stored keys of each table.
absl::Status ForEachTable(
    leveldb::Env* env, const std::string& folder,
    absl::FunctionRef<leveldb::Status(leveldb::Iterator*)> visit) {
  std::vector<std::string> names;
  leveldb::Status status = env->GetChildren(folder, &names);
  if (!status.ok()) return Annotate(ToAbslStatus(status), folder);
  for (const std::string& name : names) {
    if (!IsTableFile(name)) continue;
    const std::string path = absl::StrCat(folder, "/", name);
    uint64_t size;
    status = env->GetFileSize(path, &size);
    leveldb::RandomAccessFile* raw_file = nullptr;
    if (status.ok()) status = env->NewRandomAccessFile(path, &raw_file);
    const std::unique_ptr<leveldb::RandomAccessFile> file(raw_file);
    // A database may be removing it just now.
    if (!status.ok() && !env->FileExists(path)) {
      return absl::NotFoundError(absl::StrCat(path, ": is gone"));
    }
    leveldb::Options options;
    options.env = env;
    options.paranoid_checks = true;
    leveldb::Table* raw_table = nullptr;
    if (status.ok()) {
      status = leveldb::Table::Open(options, file.get(), size, &raw_table);
    }
    const std::unique_ptr<leveldb::Table> table(raw_table);
    if (status.ok()) {
      const std::unique_ptr<leveldb::Iterator> iterator(
          table->NewIterator(BulkReadOptions()));
      status = visit(iterator.get());
      if (status.ok()) status = iterator->status();
    }
    if (!status.ok()) return Annotate(ToAbslStatus(status), path);
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> CountEntries(leveldb::DB* db) {
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(BulkReadOptions()));
  uint64_t entries = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) ++entries;
  if (!iterator->status().ok()) return ToAbslStatus(iterator->status());
  return entries;
}

// Writes what is there for the first key of every table, so that something lies
// above each and the next compaction takes all of them.
absl::Status TouchTables(leveldb::Env* env, const std::string& folder,
                         leveldb::DB* db) {
  return ForEachTable(env, folder, [&](leveldb::Iterator* table) {
    table->SeekToFirst();
    if (!table->Valid()) return table->status();
    const std::string key = UserKey(table->key()).ToString();
    leveldb::ReadOptions read;
    read.fill_cache = false;
    std::string value;
    const leveldb::Status found = db->Get(read, key, &value);
    if (found.ok()) return db->Put(leveldb::WriteOptions(), key, value);
    if (!found.IsNotFound()) return found;
    return db->Delete(leveldb::WriteOptions(), key);
  });
}

}  // namespace

bool IsNumbered(absl::string_view name, absl::string_view end) {
  uint64_t number;
  return absl::ConsumeSuffix(&name, end) && absl::SimpleAtoi(name, &number);
}

bool IsTableFile(absl::string_view name) {
  return IsNumbered(name, ".ldb") || IsNumbered(name, ".sst");
}

absl::StatusOr<StoredValues> ReadStoredValues(leveldb::Env* env,
                                              const std::string& folder) {
  StoredValues stored;
  const absl::Status status =
      ForEachTable(env, folder, [&](leveldb::Iterator* table) {
        for (table->SeekToFirst(); table->Valid(); table->Next()) {
          if (table->key().size() < kKeyTrailer) {
            return leveldb::Status::Corruption("a key is too short");
          }
          ++(IsDelete(table->key()) ? stored.deletes : stored.values);
        }
        return leveldb::Status::OK();
      });
  if (!status.ok()) return status;
  return stored;
}

absl::Status DropStaleValues(leveldb::Env* env, const std::string& folder,
                             leveldb::DB* db) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    db->CompactRange(nullptr, nullptr);
    absl::Status status = StorageError(env, folder, SyncToDisk(db));
    if (!status.ok()) return status;
    const absl::StatusOr<uint64_t> entries = CountEntries(db);
    if (!entries.ok()) return Annotate(entries.status(), folder);
    const absl::StatusOr<StoredValues> stored = ReadStoredValues(env, folder);
    if (stored.ok() && stored->values == *entries) return absl::OkStatus();
    if (!stored.ok() && !absl::IsNotFound(stored.status())) {
      return stored.status();
    }
    status = TouchTables(env, folder, db);
    if (!status.ok() && !absl::IsNotFound(status)) return status;
  }
  return absl::UnavailableError(
      absl::StrCat(folder,
                   ": its tables still hold old values, or files that do not "
                   "belong to the database; run the same command again"));
}

}  // namespace shardingdb
