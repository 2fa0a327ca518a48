// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/random_bytes.h"

#include <cstddef>
#include <string>

#include "gtest/gtest.h"
#include "snappy.h"

namespace shardingdb {
namespace {

TEST(RandomBytesTest, AreTheSameForTheSameSeed) {
  for (const size_t size : {0, 1, 7, 8, 9, 1000}) {
    const std::string bytes = RandomBytes(1, size);
    EXPECT_EQ(bytes.size(), size);
    EXPECT_EQ(bytes, RandomBytes(1, size));
    // Short ones are the beginnings of long ones.
    EXPECT_EQ(bytes, RandomBytes(1, size + 100).substr(0, size));
  }
  EXPECT_NE(RandomBytes(1, 100), RandomBytes(2, 100));
}

TEST(RandomBytesTest, DoNotCompress) {
  const std::string bytes = RandomBytes(1, 100000);
  std::string compressed;
  snappy::Compress(bytes.data(), bytes.size(), &compressed);
  EXPECT_GE(compressed.size(), bytes.size());
}

}  // namespace
}  // namespace shardingdb
