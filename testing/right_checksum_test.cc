// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/right_checksum.h"

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

// Of "a\n", by sha256sum.
constexpr char kRight[] =
    "a\nchecksum "
    "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7\n";

TEST(RightChecksumTest, ReplacesTheLastLine) {
  EXPECT_EQ(WithRightChecksum("a\nchecksum 00\n"), kRight);
  EXPECT_EQ(WithRightChecksum("a\nwhatever"), kRight);
  EXPECT_EQ(WithRightChecksum(kRight), kRight);
}

TEST(RightChecksumTest, OfNoLines) {
  constexpr char kOfNothing[] =
      "checksum "
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n";
  EXPECT_EQ(WithRightChecksum(""), kOfNothing);
  EXPECT_EQ(WithRightChecksum("\n"), kOfNothing);
  EXPECT_EQ(WithRightChecksum("one line"), kOfNothing);
}

}  // namespace
}  // namespace shardingdb
