// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/html_report.h"

#include "absl/strings/str_replace.h"

namespace shardingdb {
namespace {

constexpr char kPage[] =
#include "benchmarks/report_page.inc"
    ;

}  // namespace

std::string ToHtml(const ReportHead& head, const Comparison& comparison) {
  // Nothing in a string may end the script.
  const std::string data =
      absl::StrReplaceAll(ToJsonArray(head, comparison), {{"<", "\\u003c"}});
  return absl::StrReplaceAll(kPage, {{"@DATA@", data}});
}

}  // namespace shardingdb
