// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/html_report.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kBegin[] = "<script type=\"application/json\" id=\"data\">";
constexpr char kEnd[] = "</script>";

Comparison OneEngine() {
  Comparison comparison;
  comparison.Add("shardingdb:6", WorkloadOptions(), RunResult());
  return comparison;
}

// What is between kBegin and the next kEnd.
std::string DataOf(const std::string& page) {
  const size_t begin = page.find(kBegin);
  if (begin == std::string::npos) return "no data";
  const size_t from = begin + sizeof(kBegin) - 1;
  return page.substr(from, page.find(kEnd, from) - from);
}

TEST(HtmlReport, HoldsTheResults) {
  ReportHead head;
  head.machine = "a fast one";
  const std::string page = ToHtml(head, OneEngine());
  EXPECT_EQ(DataOf(page), ToJsonArray(head, OneEngine()));
  EXPECT_THAT(page, Not(HasSubstr("@DATA@")));
  EXPECT_THAT(page, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

TEST(HtmlReport, TextStaysText) {
  ReportHead head;
  head.command = "</script><script>alert(1)</script><!--";
  const std::string data = DataOf(ToHtml(head, OneEngine()));
  EXPECT_EQ(absl::StrReplaceAll(data, {{"\\u003c", "<"}}),
            ToJsonArray(head, OneEngine()));
}

TEST(HtmlReport, NeedsNoNetwork) {
  const std::string page = absl::StrReplaceAll(
      ToHtml(ReportHead(), OneEngine()),
      {{"'http://www.w3.org/2000/svg'", ""}});  // a name, not an address
  for (const char* text :
       {"http:", "https:", " src=", "@import", "url(", "fetch(", "<link"}) {
    EXPECT_FALSE(absl::StrContains(page, text)) << text;
  }
}

}  // namespace
}  // namespace shardingdb
