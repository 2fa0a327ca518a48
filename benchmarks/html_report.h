// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_HTML_REPORT_H_
#define SHARDINGDB_BENCHMARKS_HTML_REPORT_H_

#include <string>

#include "benchmarks/comparison.h"
#include "benchmarks/json_report.h"

namespace shardingdb {

// One page with tables and charts, report_page.html with the objects of
// ToJsonArray in it. It needs nothing else, no network either, and whatever
// `head` says stays text.
std::string ToHtml(const ReportHead& head, const Comparison& comparison);

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_HTML_REPORT_H_
