// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/decimal.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

TEST(DecimalTest, NumbersUpToTheLimit) {
  EXPECT_EQ(DecodeDecimal("0", 10), 0u);
  EXPECT_EQ(DecodeDecimal("10", 10), 10u);
  EXPECT_FALSE(DecodeDecimal("11", 10).has_value());
  EXPECT_FALSE(DecodeDecimal("100", 10).has_value());
  EXPECT_EQ(DecodeDecimal("18446744073709551615", UINT64_MAX), UINT64_MAX);
  EXPECT_FALSE(DecodeDecimal("18446744073709551616", UINT64_MAX).has_value());
  EXPECT_FALSE(DecodeDecimal("99999999999999999999", UINT64_MAX).has_value());
}

TEST(DecimalTest, OneSpellingANumber) {
  for (const char* text :
       {"", "00", "01", "+1", "-1", " 1", "1 ", "1a", "0x1"}) {
    EXPECT_FALSE(DecodeDecimal(text, UINT64_MAX).has_value()) << text;
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
