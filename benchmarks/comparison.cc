// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/comparison.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/workload.h"

namespace shardingdb {
namespace {

double Megabytes(double bytes) { return bytes / (1 << 20); }

// How many times as fast as `base`.
std::string Factor(double base, double seconds) {
  return absl::StrFormat("%.2f", base / std::max(seconds, 1e-9));
}

bool SameTable(const WorkloadOptions& a, const WorkloadOptions& b) {
  const auto all = [](const WorkloadOptions& o) {
    return std::tie(o.work, o.groups, o.threads, o.loops, o.batch,
                    o.value_bytes, o.values, o.time_every);
  };
  return all(a) == all(b);
}

std::string Title(const WorkloadOptions& options) {
  return absl::StrFormat(
      "%s%d B %svalues, %d thread%s, %d entries%s",
      options.work == kPaperWork ? "" : absl::StrCat(options.work, ": "),
      options.value_bytes,
      options.values == ValueKind::kRandom ? "random " : "", options.threads,
      options.threads == 1 ? "" : "s", options.entries(),
      options.work == kPaperWork
          ? absl::StrCat(" in batches of ", options.batch)
          : "");
}

// One line a phase and engine.
void AppendPhases(const ComparisonTable& table, std::string* text) {
  const ComparisonRow& base = table.rows[0];
  absl::StrAppend(
      text, "| engine | phase | runs | seconds: median | least | greatest |",
      " operations/s | p50, µs | p99 | p99.9 | CPU s | × ", base.engine,
      ", CPU | written, MiB |\n",
      "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | ",
      "--: | --: |\n");
  const std::vector<std::string> phases = PhaseNames(table.options.work);
  for (const ComparisonRow& row : table.rows) {
    for (size_t phase = 0; phase < phases.size(); ++phase) {
      const auto cpu_of = [phase](const RunResult& result) {
        return result.phases[phase].cpu_seconds;
      };
      const Spread seconds = row.Seconds(phase);
      const double cpu = row.Of(cpu_of).median;
      absl::StrAppendFormat(
          text,
          "| %s | %s | %d | %.3f | %.3f | %.3f | %.0f | %.1f | %.1f | %.1f | "
          "%.3f | %s | %.0f |\n",
          row.engine, phases[phase], row.results.size(), seconds.median,
          seconds.min, seconds.max,
          row.results[0].phases[phase].operations /
              std::max(seconds.median, 1e-9),
          row.Latency(phase, 0.5), row.Latency(phase, 0.99),
          row.Latency(phase, 0.999), cpu, Factor(base.Of(cpu_of).median, cpu),
          Megabytes(row.Of([phase](const RunResult& result) {
                         return static_cast<double>(
                             result.phases[phase].written_bytes);
                       })
                        .median));
    }
  }
}

// One line an engine.
void AppendSizes(const ComparisonTable& table, std::string* text) {
  absl::StrAppend(
      text, "| engine | peak memory, MiB | on disk, MiB | written, MiB |\n",
      "| --- | --: | --: | --: |\n");
  for (const ComparisonRow& row : table.rows) {
    const auto megabytes = [&row](uint64_t RunResult::*bytes) {
      return Megabytes(row.Of([bytes](const RunResult& result) {
                            return static_cast<double>(result.*bytes);
                          })
                           .median);
    };
    absl::StrAppendFormat(text, "| %s | %.0f | %.0f | %.0f |\n", row.engine,
                          megabytes(&RunResult::peak_rss_bytes),
                          megabytes(&RunResult::disk_bytes),
                          megabytes(&RunResult::written_bytes));
  }
}

}  // namespace

Spread Spread::Of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const size_t n = numbers.size();
  return {(numbers[(n - 1) / 2] + numbers[n / 2]) / 2, numbers.front(),
          numbers.back()};
}

Spread ComparisonRow::Of(
    absl::FunctionRef<double(const RunResult&)> number) const {
  std::vector<double> numbers;
  for (const RunResult& result : results) numbers.push_back(number(result));
  return Spread::Of(std::move(numbers));
}

Spread ComparisonRow::Seconds(size_t phase) const {
  return Of([phase](const RunResult& result) {
    return result.phases[phase].seconds;
  });
}

double ComparisonRow::Latency(size_t phase, double quantile) const {
  return Of([=](const RunResult& result) {
           return result.phases[phase].latencies.At(quantile);
         })
      .median;
}

void Comparison::Add(const std::string& engine, const WorkloadOptions& options,
                     const RunResult& result) {
  for (ComparisonTable& table : tables_) {
    if (!SameTable(table.options, options)) continue;
    for (ComparisonRow& row : table.rows) {
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
  for (const ComparisonTable& table : tables_) {
    absl::StrAppend(&text, "### ", Title(table.options), "\n\n| engine |");
    std::string line = "| --- |";
    const ComparisonRow& base = table.rows[0];
    const std::vector<std::string> phases = PhaseNames(table.options.work);
    for (const std::string& phase : phases) {
      absl::StrAppend(&text, " ", phase, ", s | × ", base.engine, " |");
      absl::StrAppend(&line, " --: | --: |");
    }
    absl::StrAppend(&text, "\n", line, "\n");
    for (const ComparisonRow& row : table.rows) {
      absl::StrAppend(&text, "| ", row.engine, " |");
      for (size_t phase = 0; phase < phases.size(); ++phase) {
        const double seconds = row.Seconds(phase).median;
        absl::StrAppendFormat(&text, " %.2f | %s |", seconds,
                              Factor(base.Seconds(phase).median, seconds));
      }
      absl::StrAppend(&text, "\n");
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

std::string Comparison::DetailsToMarkdown() const {
  std::string text;
  for (const ComparisonTable& table : tables_) {
    absl::StrAppend(&text, "### ", Title(table.options), ", details\n\n");
    AppendPhases(table, &text);
    absl::StrAppend(&text, "\n");
    AppendSizes(table, &text);
    absl::StrAppend(&text, "\n");
  }
  return text;
}

}  // namespace shardingdb
