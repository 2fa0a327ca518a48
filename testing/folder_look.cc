// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/folder_look.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace shardingdb {

std::map<std::string, std::string> LookAtFolder(const std::string& folder) {
  std::map<std::string, std::string> seen;
  std::vector<std::string> paths = {folder};
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    paths.push_back(file.path().string());
  }
  for (const std::string& path : paths) {
    struct ::stat found = {};
    EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
    seen[path] =
        absl::StrCat(found.st_ino, " ", found.st_size, " ",
                     found.st_mtim.tv_sec, ".", found.st_mtim.tv_nsec, " ",
                     found.st_ctim.tv_sec, ".", found.st_ctim.tv_nsec, " ");
    if (std::filesystem::is_directory(path)) continue;
    std::ifstream stream(path, std::ios::binary);
    EXPECT_TRUE(stream.is_open()) << path;
    seen[path].append(std::istreambuf_iterator<char>(stream), {});
  }
  return seen;
}

}  // namespace shardingdb
