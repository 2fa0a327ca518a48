// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/checked_lines.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr absl::string_view kGolden =
    "shardingdb-example 2\n"
    "name a value\n"
    "empty \n"
    "checksum "
    "49f92c2357026b294eb5c01cae9a8c83f1b89db362868bbeeb88e14d89aa9414\n";

absl::StatusOr<CheckedLines> Parse(absl::string_view bytes) {
  return ParseCheckedLines(bytes, "shardingdb-example", "an example",
                           {"1", "2"});
}

TEST(CheckedLinesTest, AreWrittenAsTheyAlwaysWere) {
  CheckedLinesWriter writer("shardingdb-example", "2");
  writer.Add("name", "a value");
  writer.Add("empty", "");
  EXPECT_EQ(writer.Finish(), kGolden);
}

TEST(CheckedLinesTest, AreReadBack) {
  const auto lines = Parse(kGolden);
  ASSERT_THAT(lines, IsOk());
  EXPECT_EQ(lines->version, "2");
  EXPECT_THAT(lines->lines,
              ElementsAre(Pair("name", "a value"), Pair("empty", "")));
}

TEST(CheckedLinesTest, MayHaveNoLinesInBetween) {
  const std::string text =
      CheckedLinesWriter("shardingdb-example", "1").Finish();
  const auto lines = Parse(text);
  ASSERT_THAT(lines, IsOk());
  EXPECT_THAT(lines->lines, IsEmpty());
}

TEST(CheckedLinesTest, EveryChangedByteIsNoticed) {
  for (size_t i = 0; i < kGolden.size(); ++i) {
    std::string text(kGolden);
    text[i] = static_cast<char>(text[i] ^ 1);
    EXPECT_FALSE(Parse(text).ok()) << i;
  }
}

TEST(CheckedLinesTest, EveryMissingEndIsNoticed) {
  for (size_t size = 0; size < kGolden.size(); ++size) {
    EXPECT_THAT(Parse(kGolden.substr(0, size)),
                StatusIs(absl::StatusCode::kDataLoss))
        << size;
  }
}

TEST(CheckedLinesTest, AnotherFormatIsNamed) {
  EXPECT_THAT(
      Parse(CheckedLinesWriter("shardingdb-other", "2").Finish()),
      StatusIs(absl::StatusCode::kDataLoss, HasSubstr("not an example")));
}

TEST(CheckedLinesTest, ANewerVersionIsRefusedBeforeAnythingElse) {
  EXPECT_THAT(
      Parse("shardingdb-example 3\nwhatever\n"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("format '3'"), HasSubstr("knows '1' and '2'"))));
}

}  // namespace
}  // namespace shardingdb
