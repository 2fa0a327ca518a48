// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A fuzz target as an ordinary test, under any compiler: every file of its
// corpus, random bytes, and random damages of the files, the same in every run.
//
// Arguments: the folder of the corpus, how many random inputs.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"
#include "testing/fuzz_target.h"
#include "testing/mutate.h"

namespace shardingdb {
namespace {

std::string* g_folder = nullptr;
int g_random_inputs = 0;

using File = std::pair<std::string, std::string>;  // name, bytes

std::vector<File> Corpus() {
  std::vector<File> files;
  for (const auto& entry : std::filesystem::directory_iterator(*g_folder)) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    files.emplace_back(entry.path().filename().string(), bytes.str());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(FuzzTest, EveryFileOfTheCorpus) {
  const std::vector<File> files = Corpus();
  EXPECT_FALSE(files.empty());
  for (const auto& [name, bytes] : files) {
    EXPECT_EQ(FuzzOne(bytes), "") << name;
  }
}

TEST(FuzzTest, RandomBytes) {
  std::mt19937 random(20260727);
  for (int i = 0; i < g_random_inputs; ++i) {
    const std::string input = RandomText(200, &random);
    ASSERT_EQ(FuzzOne(input), "") << absl::BytesToHexString(input);
  }
}

TEST(FuzzTest, DamagedFiles) {
  const std::vector<File> files = Corpus();
  ASSERT_FALSE(files.empty());
  std::mt19937 random(20260728);
  for (int i = 0; i < g_random_inputs; ++i) {
    const auto& [name, bytes] = files[i % files.size()];
    const std::string input = Mutate(bytes, &random);
    ASSERT_EQ(FuzzOne(input), "")
        << name << " changed to " << absl::BytesToHexString(input);
  }
}

}  // namespace
}  // namespace shardingdb

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc != 3) {
    std::fputs("arguments: the corpus, how many random inputs\n", stderr);
    return 2;
  }
  shardingdb::g_folder = new std::string(argv[1]);
  shardingdb::g_random_inputs = std::atoi(argv[2]);
  return RUN_ALL_TESTS();
}
