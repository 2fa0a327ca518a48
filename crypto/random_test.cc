// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/random.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

TEST(RandomBytesTest, NothingIsAskedForAndGiven) {
  EXPECT_TRUE(RandomBytes(nullptr, 0).ok());
}

TEST(RandomBytesTest, DrawsDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    std::string drawn(16, '\0');
    ASSERT_TRUE(RandomBytes(&drawn[0], drawn.size()).ok());
    EXPECT_TRUE(seen.insert(drawn).second);
  }
}

TEST(RandomBytesTest, FillsMoreThanOneSystemCallGives) {
  // Above 256 bytes the kernel may hand out less than was asked for. A page
  // left out would stay a run of zeros.
  std::string drawn(1 << 20, '\0');
  ASSERT_TRUE(RandomBytes(&drawn[0], drawn.size()).ok());
  const std::string run(16, '\0');
  EXPECT_EQ(drawn.find(run), std::string::npos);
}

TEST(RandomBytesTest, StaysWithinItsBounds) {
  std::string drawn(100, 'x');
  ASSERT_TRUE(RandomBytes(&drawn[10], 80).ok());
  EXPECT_EQ(drawn.substr(0, 10), std::string(10, 'x'));
  EXPECT_EQ(drawn.substr(90), std::string(10, 'x'));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
