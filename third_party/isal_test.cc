// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "gtest/gtest.h"
#include "isa-l/crc.h"

namespace {

// The check value of CRC-32C (RFC 3720 and every CRC catalogue).
TEST(Isal, ComputesCrc32c) {
  unsigned char digits[] = "123456789";
  EXPECT_EQ(~crc32_iscsi(digits, 9, ~0u), 0xe3069283u);
}

}  // namespace
