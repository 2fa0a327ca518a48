// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "zstd.h"

#include <string>

#include "gtest/gtest.h"

namespace {

TEST(Zstd, RoundTrips) {
  const std::string input(10000, 'z');
  std::string compressed(ZSTD_compressBound(input.size()), '\0');
  const size_t size = ZSTD_compress(compressed.data(), compressed.size(),
                                    input.data(), input.size(), 1);
  ASSERT_FALSE(ZSTD_isError(size));
  EXPECT_LT(size, input.size() / 10);
  std::string output(input.size(), '\0');
  ASSERT_EQ(
      ZSTD_decompress(output.data(), output.size(), compressed.data(), size),
      input.size());
  EXPECT_EQ(output, input);
}

}  // namespace
