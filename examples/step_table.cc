// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "examples/step_table.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace shardingdb {
namespace {

// Right-aligned, two spaces between columns.
void AppendCell(const std::string& text, size_t width, std::string* line) {
  absl::StrAppendFormat(line, "  %*s", static_cast<int>(width), text);
}

}  // namespace

absl::Status StepTable::Time(const std::string& step, size_t run,
                             absl::FunctionRef<absl::Status()> work) {
  const absl::Time start = absl::Now();
  const absl::Status status = work();
  if (!status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat(step, ": ", status.message()));
  }
  Note(step, run, absl::ToDoubleSeconds(absl::Now() - start));
  return status;
}

void StepTable::Note(const std::string& step, size_t run, double seconds) {
  auto row = std::find_if(rows_.begin(), rows_.end(),
                          [&](const Row& r) { return r.step == step; });
  if (row == rows_.end()) {
    rows_.push_back({step, std::vector<std::optional<double>>(runs_.size())});
    row = rows_.end() - 1;
  }
  row->seconds[run] = seconds;
}

std::string StepTable::ToString() const {
  size_t step_width = 5;  // "total"
  for (const Row& row : rows_)
    step_width = std::max(step_width, row.step.size());
  std::string text(step_width, ' ');
  for (const std::string& run : runs_)
    AppendCell(run, std::max<size_t>(run.size(), 9), &text);
  std::vector<double> sums(runs_.size());
  const auto append_row = [&](const std::string& step, const auto& seconds) {
    absl::StrAppendFormat(&text, "\n%-*s", static_cast<int>(step_width), step);
    for (size_t i = 0; i < runs_.size(); ++i) {
      AppendCell(seconds(i), std::max<size_t>(runs_[i].size(), 9), &text);
    }
  };
  for (const Row& row : rows_) {
    append_row(row.step, [&](size_t i) -> std::string {
      if (!row.seconds[i].has_value()) return "-";
      sums[i] += *row.seconds[i];
      return absl::StrFormat("%.2f s", *row.seconds[i]);
    });
  }
  append_row("total",
             [&](size_t i) { return absl::StrFormat("%.2f s", sums[i]); });
  return absl::StrCat(text, "\n");
}

}  // namespace shardingdb
