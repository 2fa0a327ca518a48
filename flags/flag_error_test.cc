// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "flags/flag_error.h"

#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "gtest/gtest.h"

ABSL_FLAG(std::string, a_text, "", "");
ABSL_FLAG(int, a_number, 1, "");
ABSL_FLAG(bool, a_switch, false, "");

namespace shardingdb {
namespace {

std::string Error(const std::vector<std::string>& arguments) {
  return FlagError(arguments, {"a_text", "a_number", "a_switch"});
}

TEST(FlagErrorTest, NamesTheFlagThatIsWrongAsItWasGiven) {
  EXPECT_EQ(Error({"--none", "x"}), "unknown flag --none");
  EXPECT_EQ(Error({"-a_text", "x", "-none=1"}), "unknown flag -none");
  EXPECT_EQ(Error({"--noa_text"}), "unknown flag --noa_text");
  EXPECT_EQ(Error({"-a_text"}), "-a_text: no value");
  EXPECT_EQ(Error({"--a_text"}), "--a_text: no value");
  EXPECT_EQ(Error({"-a_number", "many"}),
            "-a_number: 'many' is not what it takes");
  EXPECT_EQ(Error({"--a_number="}), "--a_number: '' is not what it takes");
  EXPECT_EQ(Error({"--a_switch=often"}),
            "--a_switch: 'often' is not what it takes");
}

TEST(FlagErrorTest, SaysNothingOfWhatTheFlagLibraryTakes) {
  EXPECT_EQ(Error({}), "");
  EXPECT_EQ(Error({"-a_text", "--none", "--a_number=7", "-", "more"}), "");
  EXPECT_EQ(Error({"-a_switch", "--noa_switch", "--a_switch=false"}), "");
  EXPECT_EQ(Error({"--", "--none"}), "");
  EXPECT_EQ(Error({"--undefok=none", "--none"}), "");
}

}  // namespace
}  // namespace shardingdb
