// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/generated_set.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "crypto/sha256.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "shardingdb/read_only_env.h"
#include "shardingdb/shard_label.h"

namespace shardingdb {
namespace {

std::string RandomBytes(size_t size, std::mt19937_64* random) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>((*random)());
  return bytes;
}

std::string NewKey(size_t i, std::mt19937_64* random) {
  switch (i % 4) {
    case 0:
      return absl::StrCat("user:", i, ":name");
    case 1:
      return RandomBytes(1 + (*random)() % 40, random);
    case 2:
      return RandomBytes(8, random);
    default:
      return absl::StrCat("user:", i - 3);  // a prefix of another
  }
}

std::string NewValue(size_t i, std::mt19937_64* random) {
  switch (i % 5) {
    case 0:
      return "";
    case 1:
      return RandomBytes(8, random);
    case 2:
      return absl::StrCat("{\"id\":", i, ",\"text\":\"",
                          std::string(i % 90, 'x'), "\"}");
    case 3:
      return RandomBytes((*random)() % 200, random);
    default:
      return i % 500 == 4 ? RandomBytes(70000, random)
                          : RandomBytes(20, random);
  }
}

std::unique_ptr<leveldb::DB> Open(const std::string& folder,
                                  const leveldb::Options& options) {
  leveldb::DB* db = nullptr;
  const leveldb::Status status = leveldb::DB::Open(options, folder, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::unique_ptr<leveldb::DB>(db);
}

void WriteUsedDatabase(const std::string& folder, const Entries& entries) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  EXPECT_FALSE(error) << folder;
  leveldb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  const std::unique_ptr<leveldb::DB> db = Open(folder, options);
  if (db == nullptr) return;
  const leveldb::WriteOptions write;
  size_t i = 0;
  for (const auto& [key, value] : entries) {
    if (++i % 3 == 0) {
      EXPECT_TRUE(db->Put(write, key, "overwritten later").ok());
    }
    if (i % 7 == 0) {
      EXPECT_TRUE(db->Put(write, key + "-gone", value).ok());
    }
  }
  db->CompactRange(nullptr, nullptr);
  i = 0;
  for (const auto& [key, value] : entries) {
    EXPECT_TRUE(db->Put(write, key, value).ok());
    if (++i % 7 == 0) {
      EXPECT_TRUE(db->Delete(write, key + "-gone").ok());
    }
  }
}

}  // namespace

Entries GenerateEntries(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  Entries entries;
  if (count > 0) entries[""] = "the empty key";
  for (size_t i = 0; entries.size() < count; ++i) {
    // Every draw in an order of its own, whatever the compiler does.
    const std::string key = NewKey(i, &random);
    entries[key] = NewValue(i, &random);
  }
  return entries;
}

void WriteSet(const std::vector<std::string>& folders,
              const ShardingFuncPtr& function, const Entries& entries) {
  std::vector<Entries> shards(folders.size());
  for (const auto& [key, value] : entries) {
    const uint32_t shard =
        function->ShardOf(key, static_cast<uint32_t>(folders.size()));
    shards[shard][key] = value;
  }
  for (size_t i = 0; i < folders.size(); ++i) {
    WriteUsedDatabase(folders[i], shards[i]);
  }
}

Entries ReadFolder(const std::string& folder) {
  ReadOnlyEnv env(leveldb::Env::Default());
  leveldb::Options options;
  options.env = &env;
  options.paranoid_checks = true;
  Entries entries;
  const std::unique_ptr<leveldb::DB> db = Open(folder, options);
  if (db == nullptr) return entries;
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(leveldb::ReadOptions()));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    if (iterator->key() == ShardLabelKey()) continue;
    entries[iterator->key().ToString()] = iterator->value().ToString();
  }
  EXPECT_TRUE(iterator->status().ok()) << iterator->status().ToString();
  return entries;
}

Entries ReadSet(const std::vector<std::string>& folders,
                const ShardingFuncPtr& function) {
  Entries all;
  for (size_t i = 0; i < folders.size(); ++i) {
    for (auto& [key, value] : ReadFolder(folders[i])) {
      EXPECT_EQ(function->ShardOf(key, static_cast<uint32_t>(folders.size())),
                i);
      all[key] = value;
    }
  }
  return all;
}

MultisetDigest DigestOf(const Entries& entries) {
  Sha256 sha;
  MultisetDigest digest;
  for (const auto& [key, value] : entries) {
    digest.Add(HashEntry(key, value, &sha));
  }
  return digest;
}

std::map<std::string, std::string> FilesOf(const std::string& folder) {
  std::map<std::string, std::string> files;
  std::vector<std::string> paths = {folder};
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    paths.push_back(file.path().string());
  }
  EXPECT_FALSE(error) << folder;
  for (const std::string& path : paths) {
    struct ::stat found = {};
    EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
    files[path] =
        absl::StrCat(found.st_size, " bytes, changed ", found.st_mtim.tv_sec,
                     ".", found.st_mtim.tv_nsec, ", ");
    if (path == folder) continue;
    std::ifstream stream(path, std::ios::binary);
    files[path].append(std::istreambuf_iterator<char>(stream), {});
  }
  return files;
}

}  // namespace shardingdb
