// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/comparison.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace shardingdb {
namespace {

template <typename Number>
Spread SpreadOf(const std::vector<RunResult>& results, Number number) {
  std::vector<double> numbers;
  for (const RunResult& result : results) numbers.push_back(number(result));
  return Spread::Of(std::move(numbers));
}

Spread SecondsOf(const std::vector<RunResult>& results, size_t phase) {
  return SpreadOf(results, [phase](const RunResult& result) {
    return result.phases[phase].seconds;
  });
}

double Megabytes(double bytes) { return bytes / (1 << 20); }

// How many times as fast as `base`.
std::string Factor(double base, double seconds) {
  return absl::StrFormat("%.2f", base / std::max(seconds, 1e-9));
}

std::string Title(const WorkloadOptions& options) {
  return absl::StrFormat(
      "%d B values, %d thread%s, %d entries in batches of %d",
      options.value_bytes, options.threads, options.threads == 1 ? "" : "s",
      options.entries(), options.batch);
}

}  // namespace

Spread Spread::Of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const size_t n = numbers.size();
  return {(numbers[(n - 1) / 2] + numbers[n / 2]) / 2, numbers.front(),
          numbers.back()};
}

bool Comparison::SameTable(const WorkloadOptions& a, const WorkloadOptions& b) {
  return std::tie(a.groups, a.threads, a.loops, a.batch, a.value_bytes) ==
         std::tie(b.groups, b.threads, b.loops, b.batch, b.value_bytes);
}

void Comparison::Add(const std::string& engine, const WorkloadOptions& options,
                     const RunResult& result) {
  for (Table& table : tables_) {
    if (!SameTable(table.options, options)) continue;
    for (Row& row : table.rows) {
      if (row.engine != engine) continue;
      row.results.push_back(result);
      return;
    }
    table.rows.push_back({engine, {result}});
    return;
  }
  tables_.push_back({options, {{engine, {result}}}});
}

std::string Comparison::ToMarkdown() const {
  std::string text;
  for (const Table& table : tables_) {
    absl::StrAppend(&text, "### ", Title(table.options), "\n\n| engine |");
    std::string line = "| --- |";
    const std::string& base = table.rows[0].engine;
    for (const char* phase : kPhaseNames) {
      absl::StrAppend(&text, " ", phase, ", s | × ", base, " |");
      absl::StrAppend(&line, " --: | --: |");
    }
    absl::StrAppend(&text, "\n", line, "\n");
    for (const Row& row : table.rows) {
      absl::StrAppend(&text, "| ", row.engine, " |");
      for (size_t phase = 0; phase < kPhases; ++phase) {
        const double seconds = SecondsOf(row.results, phase).median;
        absl::StrAppendFormat(
            &text, " %.2f | %s |", seconds,
            Factor(SecondsOf(table.rows[0].results, phase).median, seconds));
      }
      absl::StrAppend(&text, "\n");
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

std::string Comparison::DetailsToMarkdown() const {
  std::string text;
  for (const Table& table : tables_) {
    absl::StrAppend(
        &text, "### ", Title(table.options), ", details\n\n",
        "| engine | phase | runs | seconds: median | least | greatest |",
        " operations/s | CPU s | × ", table.rows[0].engine, ", CPU |\n",
        "| --- | --- | --: | --: | --: | --: | --: | --: | --: |\n");
    for (const Row& row : table.rows) {
      for (size_t phase = 0; phase < kPhases; ++phase) {
        const auto cpu_of = [phase](const RunResult& result) {
          return result.phases[phase].cpu_seconds;
        };
        const Spread seconds = SecondsOf(row.results, phase);
        const double cpu = SpreadOf(row.results, cpu_of).median;
        const double base_cpu = SpreadOf(table.rows[0].results, cpu_of).median;
        absl::StrAppendFormat(
            &text, "| %s | %s | %d | %.3f | %.3f | %.3f | %.0f | %.3f | %s |\n",
            row.engine, kPhaseNames[phase], row.results.size(), seconds.median,
            seconds.min, seconds.max,
            row.results[0].phases[phase].operations /
                std::max(seconds.median, 1e-9),
            cpu, Factor(base_cpu, cpu));
      }
    }
    absl::StrAppend(&text, "\n| engine | peak memory, MiB | on disk, MiB |\n",
                    "| --- | --: | --: |\n");
    for (const Row& row : table.rows) {
      absl::StrAppendFormat(
          &text, "| %s | %.0f | %.0f |\n", row.engine,
          Megabytes(SpreadOf(row.results,
                             [](const RunResult& result) {
                               return static_cast<double>(
                                   result.peak_rss_bytes);
                             })
                        .median),
          Megabytes(SpreadOf(row.results, [](const RunResult& result) {
                      return static_cast<double>(result.disk_bytes);
                    }).median));
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

}  // namespace shardingdb
