// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/storage_error.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/table.h"
#include "reshard/bulk_read.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// What is wrong with the table `path`.
leveldb::Status CheckTable(leveldb::Env* env, const std::string& path) {
  uint64_t size;
  leveldb::Status status = env->GetFileSize(path, &size);
  if (!status.ok()) return status;
  leveldb::RandomAccessFile* raw_file = nullptr;
  status = env->NewRandomAccessFile(path, &raw_file);
  if (!status.ok()) return status;
  const std::unique_ptr<leveldb::RandomAccessFile> file(raw_file);
  leveldb::Options options;
  options.env = env;
  options.paranoid_checks = true;
  leveldb::Table* raw_table = nullptr;
  status = leveldb::Table::Open(options, file.get(), size, &raw_table);
  if (!status.ok()) return status;
  const std::unique_ptr<leveldb::Table> table(raw_table);
  const std::unique_ptr<leveldb::Iterator> iterator(
      table->NewIterator(BulkReadOptions()));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
  }
  return iterator->status();
}

bool IsTable(absl::string_view name) {
  return absl::EndsWith(name, ".ldb") || absl::EndsWith(name, ".sst");
}

}  // namespace

absl::Status NameDamage(leveldb::Env* env, const std::string& folder,
                        const absl::Status& status) {
  if (status.code() != absl::StatusCode::kDataLoss ||
      absl::StrContains(status.message(), absl::StrCat(folder, "/"))) {
    return status;
  }
  std::vector<std::string> names;
  if (!env->GetChildren(folder, &names).ok()) return status;
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (!IsTable(name)) continue;
    const leveldb::Status damage =
        CheckTable(env, absl::StrCat(folder, "/", name));
    if (!damage.IsCorruption()) continue;
    return absl::DataLossError(
        absl::StrCat(status.message(), "; damaged file: ", folder, "/", name));
  }
  return status;
}

absl::Status StorageError(leveldb::Env* env, const std::string& folder,
                          const leveldb::Status& status) {
  return NameDamage(env, folder, AnnotatePath(ToAbslStatus(status), folder));
}

absl::Status OutOfMemory() {
  return absl::ResourceExhaustedError(
      "out of memory: run the same command again with more memory");
}

}  // namespace shardingdb
