// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/set_digest.h"

#include <string>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

TEST(SetDigestTest, OfNothingIsTheHashOfNoBytes) {
  SetDigest digest;
  EXPECT_EQ(digest.entries(), 0);
  EXPECT_EQ(digest.FinishHex(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// Computed with Python's hashlib.
TEST(SetDigestTest, HasTheValueThatItsDefinitionGives) {
  SetDigest digest;
  digest.Add("", "x");
  digest.Add("a", "");
  digest.Add(std::string("\xff\0", 2), "value");
  EXPECT_EQ(digest.entries(), 3);
  EXPECT_EQ(digest.FinishHex(),
            "671edaa3764263df2b310227023b59d63e5b7c194b9b60cd8b0b91702611ad43");
}

TEST(SetDigestTest, KnowsWhereTheKeyEnds) {
  SetDigest one;
  one.Add("ab", "c");
  SetDigest other;
  other.Add("a", "bc");
  EXPECT_NE(one.FinishHex(), other.FinishHex());
}

}  // namespace
}  // namespace shardingdb
