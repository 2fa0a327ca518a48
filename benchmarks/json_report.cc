// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/json_report.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/engine.h"
#include "benchmarks/phase.h"
#include "benchmarks/value_maker.h"
#include "benchmarks/workload.h"
#include "nlohmann/json.hpp"

namespace shardingdb {
namespace {

using Json = nlohmann::ordered_json;

std::string Line(const Json& json) {
  return json.dump(/*indent=*/-1, /*indent_char=*/' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace);
}

std::string HeadLine(const ReportHead& head) {
  Json json;
  json["machine"] = head.machine;
  json["command"] = head.command;
  json["date"] = head.date;
  json["version"] = head.version;
  return Line(json);
}

uint64_t MedianBytes(const ComparisonRow& row, uint64_t RunResult::*bytes) {
  return static_cast<uint64_t>(row.Of([bytes](const RunResult& result) {
                                    return static_cast<double>(result.*bytes);
                                  })
                                   .median);
}

std::string CellLine(const WorkloadOptions& options, const ComparisonRow& row,
                     size_t phase) {
  const absl::StatusOr<Engine> engine = ParseEngine(row.engine);
  const PhaseResult& first = row.results[0].phases[phase];
  const Spread seconds = row.Seconds(phase);
  Json json;
  json["engine"] = row.engine;
  json["workload"] = absl::StrReplaceAll(PhaseNames(options.work)[phase],
                                         {{" ", ""}});  // "notfound"
  json["work"] = options.work;
  json["value_bytes"] = options.value_bytes;
  json["values"] = std::string(NameOf(options.values));
  json["threads"] = options.threads;
  json["groups"] = options.groups;
  json["loops"] = options.loops;
  json["batch"] = options.batch;
  json["entries"] = options.entries();
  json["shards"] = engine.ok() ? engine->shards : 1;
  json["runs"] = row.results.size();
  json["ops"] = first.operations;
  json["seconds"] = seconds.median;
  json["seconds_min"] = seconds.min;
  json["seconds_max"] = seconds.max;
  json["p50_us"] = row.Latency(phase, 0.5);
  json["p99_us"] = row.Latency(phase, 0.99);
  json["p999_us"] = row.Latency(phase, 0.999);
  Json& latencies = json["latencies_us"] = Json::array();
  for (double quantile : kQuantiles)
    latencies.push_back({quantile, row.Latency(phase, quantile)});
  json["latency_samples"] = first.latencies.samples;
  json["cpu_seconds"] = row.Of([phase](const RunResult& result) {
                             return result.phases[phase].cpu_seconds;
                           })
                            .median;
  json["written_bytes"] = static_cast<uint64_t>(
      row.Of([phase](const RunResult& result) {
           return static_cast<double>(result.phases[phase].written_bytes);
         })
          .median);
  json["peak_rss_bytes"] = MedianBytes(row, &RunResult::peak_rss_bytes);
  json["disk_bytes"] = MedianBytes(row, &RunResult::disk_bytes);
  json["run_written_bytes"] = MedianBytes(row, &RunResult::written_bytes);
  return Line(json);
}

std::vector<std::string> Lines(const ReportHead& head,
                               const Comparison& comparison) {
  std::vector<std::string> lines = {HeadLine(head)};
  for (const ComparisonTable& table : comparison.tables()) {
    const size_t phases = PhaseNames(table.options.work).size();
    for (size_t phase = 0; phase < phases; ++phase)
      for (const ComparisonRow& row : table.rows)
        lines.push_back(CellLine(table.options, row, phase));
  }
  return lines;
}

}  // namespace

std::string ToJsonLines(const ReportHead& head, const Comparison& comparison) {
  return absl::StrCat(absl::StrJoin(Lines(head, comparison), "\n"), "\n");
}

std::string ToJsonArray(const ReportHead& head, const Comparison& comparison) {
  return absl::StrCat("[", absl::StrJoin(Lines(head, comparison), ",\n"),
                      "]\n");
}

}  // namespace shardingdb
