// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "examples/step_table.h"

#include <algorithm>
#include <chrono>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace shardingdb {
namespace {

// Of the column of a run.
size_t WidthOf(const std::string& run) {
  constexpr size_t kWidthOfTimes = 9;
  return std::max(run.size(), kWidthOfTimes);
}

// Right-aligned, two spaces between columns.
void AppendCell(const std::string& text, size_t width, std::string* line) {
  absl::StrAppendFormat(line, "  %*s", static_cast<int>(width), text);
}

}  // namespace

absl::Status StepTable::Time(const std::string& step, size_t run,
                             absl::FunctionRef<absl::Status()> work) {
  const auto start = std::chrono::steady_clock::now();
  const absl::Status status = work();
  if (!status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat(step, ": ", status.message()));
  }
  Note(step, run,
       std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
           .count());
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
  size_t step_width = 0;
  for (const Row& row : rows_)
    step_width = std::max(step_width, row.step.size());
  std::string text(step_width, ' ');
  for (const std::string& run : runs_) AppendCell(run, WidthOf(run), &text);
  for (const Row& row : rows_) {
    absl::StrAppendFormat(&text, "\n%-*s", static_cast<int>(step_width),
                          row.step);
    for (size_t i = 0; i < runs_.size(); ++i) {
      const std::optional<double>& seconds = row.seconds[i];
      AppendCell(
          seconds.has_value() ? absl::StrFormat("%.2f s", *seconds) : "-",
          WidthOf(runs_[i]), &text);
    }
  }
  return absl::StrCat(text, "\n");
}

}  // namespace shardingdb
