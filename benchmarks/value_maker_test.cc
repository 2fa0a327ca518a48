// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/value_maker.h"

#include <set>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "snappy.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;

TEST(ValueMaker, KindsHaveNames) {
  for (const char* name : {"zeropad", "random"}) {
    ASSERT_OK_AND_ASSIGN(const ValueKind kind, ParseValueKind(name));
    EXPECT_EQ(NameOf(kind), name);
  }
  for (const char* name : {"", "Random", "zero"}) {
    EXPECT_THAT(ParseValueKind(name),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("zeropad and random")));
  }
}

TEST(ValueMaker, PadsWithZeros) {
  ValueMaker values(ValueKind::kZeroPadded, 20);
  EXPECT_EQ(values.Of(0, 98765).ToString(),
            std::string("value-98765") + std::string(9, '\0'));
  EXPECT_EQ(values.Of(0, 1).ToString(),
            std::string("value-1") + std::string(13, '\0'));
}

TEST(ValueMaker, RandomValuesFollowFromTheEntry) {
  for (size_t bytes : {16, 17, 100, 1024}) {
    ValueMaker values(ValueKind::kRandom, bytes);
    std::set<std::string> all;
    for (uint64_t entry = 0; entry < 1000; ++entry) {
      all.insert(values.Of(entry, 5).ToString());
      EXPECT_EQ(values.Of(entry, 6).size(), bytes);
    }
    EXPECT_EQ(all.size(), 1000u);
    EXPECT_EQ(
        all.count(ValueMaker(ValueKind::kRandom, bytes).Of(7, 0).ToString()),
        1u);
  }
}

TEST(ValueMaker, RandomValuesDoNotCompress) {
  ValueMaker random(ValueKind::kRandom, 100);
  ValueMaker zeros(ValueKind::kZeroPadded, 100);
  std::string block, other, compressed;
  for (uint64_t entry = 0; entry < 1000; ++entry) {
    block += random.Of(entry, entry).ToString();
    other += zeros.Of(entry, entry).ToString();
  }
  snappy::Compress(block.data(), block.size(), &compressed);
  EXPECT_GE(compressed.size(), block.size());
  snappy::Compress(other.data(), other.size(), &compressed);
  EXPECT_LT(compressed.size(), other.size() / 4);
}

}  // namespace
}  // namespace shardingdb
