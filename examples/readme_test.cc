// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The example that the README shows is one that compiles.

#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Readme, ShowsTwentyLinesAsTheyAre) {
  const std::string source = Contents("examples/twenty_lines.cc");
  const size_t begin = source.find("#include");  // behind the license
  ASSERT_NE(begin, std::string::npos);
  const std::string shown = "```cpp\n" + source.substr(begin) + "```\n";
  EXPECT_NE(Contents("README.md").find(shown), std::string::npos)
      << "README.md must have this:\n"
      << shown;
}

}  // namespace
}  // namespace shardingdb
