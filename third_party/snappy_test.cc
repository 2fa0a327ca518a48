// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "snappy.h"

#include <string>

#include "gtest/gtest.h"

namespace {

TEST(Snappy, RoundTrips) {
  const std::string input(10000, 's');
  std::string compressed, output;
  snappy::Compress(input.data(), input.size(), &compressed);
  EXPECT_LT(compressed.size(), input.size() / 10);
  ASSERT_TRUE(
      snappy::Uncompress(compressed.data(), compressed.size(), &output));
  EXPECT_EQ(output, input);
}

}  // namespace
