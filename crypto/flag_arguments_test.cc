// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/flag_arguments.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::StatusOr<std::vector<std::string>> Arguments(
    const std::vector<std::string>& arguments) {
  return FlagArguments(arguments, {"passphrase", "new_passphrase"});
}

TEST(FlagArgumentsTest, NamesOfFlagsGetUnderscoresAndNothingElseDoes) {
  EXPECT_THAT(Arguments({"dis-able", "--kek-file=a-b", "-kek-env", "--a-b",
                         "--new-passphrase-env=", "-"}),
              IsOkAndHolds(ElementsAre("dis-able", "--kek_file=a-b", "-kek_env",
                                       "--a-b", "--new_passphrase_env=", "-")));
  EXPECT_THAT(
      Arguments({"--kek_file", "x", "--", "--a-b", "--a-b"}),
      IsOkAndHolds(ElementsAre("--kek_file", "x", "--", "--a-b", "--a-b")));
  EXPECT_THAT(Arguments({}), IsOkAndHolds(IsEmpty()));
}

TEST(FlagArgumentsTest, AFlagWithoutAValueIsFollowedByTheNext) {
  EXPECT_THAT(Arguments({"--new-passphrase", "--kek-file", "x", "--passphrase",
                         "--ring=r"}),
              IsOkAndHolds(ElementsAre("--new_passphrase", "--kek_file", "x",
                                       "--passphrase", "--ring=r")));
}

TEST(FlagArgumentsTest, TwiceIsOnceTooOften) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--ring=a", "--ring=b"},
        std::vector<std::string>{"--ring", "a", "-ring", "a"},
        std::vector<std::string>{"--passphrase", "--ring=a", "--ring=b"},
        std::vector<std::string>{"--kek-file=a", "--kek_file=b"}}) {
    EXPECT_THAT(Arguments(arguments),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("is given twice")));
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
