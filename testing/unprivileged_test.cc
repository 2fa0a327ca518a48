// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/unprivileged.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include "gtest/gtest.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

TEST(UnprivilegedTest, PermissionsHold) {
  const TempDir dir;
  const std::string path = dir.Join("file");
  std::ofstream(path) << "text";
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const bool opened_before = std::ifstream(path).is_open();
  {
    const Unprivileged unprivileged;
    EXPECT_FALSE(std::ifstream(path).is_open());
    std::thread([&path] {
      EXPECT_FALSE(std::ifstream(path).is_open());
    }).join();
    EXPECT_FALSE(std::ofstream(path).is_open());
  }
  EXPECT_EQ(std::ifstream(path).is_open(), opened_before);
}

TEST(UnprivilegedTest, WhatIsAllowedIsAllowed) {
  const TempDir dir;
  const Unprivileged unprivileged;
  std::ofstream(dir.Join("file")) << "text";
  EXPECT_TRUE(std::ifstream(dir.Join("file")).is_open());
}

}  // namespace
}  // namespace shardingdb
