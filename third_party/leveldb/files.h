// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef THIRD_PARTY_LEVELDB_FILES_H_
#define THIRD_PARTY_LEVELDB_FILES_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"

namespace shardingdb {

// The files of the database /db by their names, but for its lock.
using Files = std::map<std::string, std::string>;

inline Files ReadFiles(leveldb::Env* env) {
  std::vector<std::string> names;
  EXPECT_OK(env->GetChildren("/db", &names));
  Files files;
  for (const std::string& name : names) {
    if (name == "LOCK") continue;
    EXPECT_OK(leveldb::ReadFileToString(env, "/db/" + name, &files[name]));
  }
  return files;
}

// A new Env in memory with these files in /db.
inline std::unique_ptr<leveldb::Env> EnvWithFiles(const Files& files) {
  std::unique_ptr<leveldb::Env> env(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  EXPECT_OK(env->CreateDir("/db"));
  for (const auto& [name, contents] : files) {
    EXPECT_OK(leveldb::WriteStringToFile(env.get(), contents, "/db/" + name));
  }
  return env;
}

// The names that contain `part`.
inline std::vector<std::string> NamesWith(absl::string_view part,
                                          const Files& files) {
  std::vector<std::string> names;
  for (const auto& [name, contents] : files) {
    if (absl::StrContains(name, part)) names.push_back(name);
  }
  return names;
}

// Where the headers of a whole log's or descriptor's records are: four bytes of
// checksum, two of length, one of type. None goes across the end of a block.
inline std::vector<size_t> RecordOffsets(const std::string& log) {
  constexpr size_t kBlock = 32768, kHeader = 7;
  std::vector<size_t> offsets;
  size_t offset = 0;
  while (offset + kHeader <= log.size()) {
    if (kBlock - offset % kBlock < kHeader) {
      offset += kBlock - offset % kBlock;
      continue;
    }
    offsets.push_back(offset);
    offset += kHeader + static_cast<unsigned char>(log[offset + 4]) +
              256 * static_cast<unsigned char>(log[offset + 5]);
  }
  return offsets;
}

}  // namespace shardingdb

#endif  // THIRD_PARTY_LEVELDB_FILES_H_
