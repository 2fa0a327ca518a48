// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Files as a test makes and looks at them.

#ifndef SHARDINGDB_CRYPTO_FILE_FOR_TEST_H_
#define SHARDINGDB_CRYPTO_FILE_FOR_TEST_H_

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {

inline std::string ContentsOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// A new file with these bytes and this mode, in the place of any other.
inline void PutFile(const std::string& path, const std::string& bytes,
                    ::mode_t mode = 0600) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
  ASSERT_EQ(::chmod(path.c_str(), mode), 0) << path;
}

inline ::mode_t ModeOf(const std::string& path) {
  struct ::stat found = {};
  EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 07777;
}

inline std::set<std::string> NamesIn(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_FILE_FOR_TEST_H_
