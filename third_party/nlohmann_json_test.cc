// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace {

TEST(NlohmannJson, Parses) {
  const nlohmann::json json = nlohmann::json::parse(R"({"key": [1, "two"]})");
  EXPECT_EQ(json["key"][0], 1);
  EXPECT_EQ(json["key"][1].get_ref<const std::string&>(), "two");
}

TEST(NlohmannJson, SaysWhatIsNone) {
  const nlohmann::json json = nlohmann::json::parse(
      R"({"key": )", /*cb=*/nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(json.is_discarded());
}

}  // namespace
