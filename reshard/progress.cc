// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/progress.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"

namespace shardingdb {
namespace {

constexpr absl::Duration kRedraw = absl::Milliseconds(100);
constexpr absl::Duration kNewLine = absl::Seconds(5);
constexpr int kBarCells = 10;  // with the numbers, 80 columns

double PerSecond(double amount, absl::Duration time) {
  return amount / std::max(absl::ToDoubleSeconds(time), 1e-3);
}

std::string Megabytes(double bytes) {
  return absl::StrFormat("%.1f MB", bytes / 1e6);
}

std::string MinutesAndSeconds(double seconds) {
  const int64_t whole = static_cast<int64_t>(seconds + 0.5);
  return absl::StrFormat("%d:%02d", whole / 60, whole % 60);
}

}  // namespace

Progress::Progress(Options options) : options_(std::move(options)) {}

Progress::~Progress() {
  absl::MutexLock lock(&mutex_);
  ClearBar();
}

absl::Time Progress::Now() const {
  return options_.now ? options_.now() : absl::Now();
}

bool Progress::Wanted(Level level) const {
  return options_.write && level <= options_.level;
}

void Progress::Say(Level level, absl::string_view text) {
  if (!Wanted(level)) return;
  absl::MutexLock lock(&mutex_);
  ClearBar();
  Write(absl::StrCat(text, "\n"));
}

void Progress::StartPhase(absl::string_view name, uint64_t size) {
  absl::MutexLock lock(&mutex_);
  EndPhaseLocked();
  phase_ = std::string(name);
  size_ = size;
  steps_ = 0;
  entries_ = 0;
  bytes_ = 0;
  started_ = Now();
  const absl::Duration first = options_.terminal ? kRedraw : kNewLine;
  next_show_nanos_ = absl::ToUnixNanos(started_ + first);
}

void Progress::EndPhase() {
  absl::MutexLock lock(&mutex_);
  EndPhaseLocked();
}

void Progress::EndPhaseLocked() {
  if (phase_.empty()) return;
  const std::string phase = std::exchange(phase_, std::string());
  if (!Wanted(Level::kSummary)) return;
  ClearBar();
  const absl::Duration time = Now() - started_;
  Write(absl::StrFormat("%s: %d entries, %s in %.1f s (%.0f entries/s)\n",
                        phase, entries_.load(), Megabytes(bytes_.load()),
                        absl::ToDoubleSeconds(time),
                        PerSecond(entries_.load(), time)));
}

void Progress::Advance(uint64_t steps, uint64_t entries, uint64_t bytes) {
  steps_.fetch_add(steps, std::memory_order_relaxed);
  entries_.fetch_add(entries, std::memory_order_relaxed);
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (!Wanted(Level::kSummary)) return;
  const absl::Time now = Now();
  int64_t due = next_show_nanos_.load(std::memory_order_relaxed);
  if (absl::ToUnixNanos(now) < due) return;
  const absl::Duration pause = options_.terminal ? kRedraw : kNewLine;
  // Whoever moves the time on shows it; the others go on.
  if (!next_show_nanos_.compare_exchange_strong(
          due, absl::ToUnixNanos(now + pause))) {
    return;
  }
  absl::MutexLock lock(&mutex_);
  Show(now);
}

void Progress::Show(absl::Time now) {
  if (phase_.empty()) return;
  const absl::Duration time = now - started_;
  std::string text = phase_;
  double share = 0;
  if (size_ > 0) {
    share = std::min(1.0, static_cast<double>(steps_.load()) / size_);
    if (options_.terminal) {
      const int full = static_cast<int>(share * kBarCells);
      absl::StrAppend(&text, " [", std::string(full, '#'),
                      std::string(kBarCells - full, '.'), "]");
    }
    absl::StrAppendFormat(&text, " %.0f%%", share * 100);
  }
  absl::StrAppendFormat(&text, " %d entries, %.0f/s, %s/s", entries_.load(),
                        PerSecond(entries_.load(), time),
                        Megabytes(PerSecond(bytes_.load(), time)));
  if (share > 0) {
    const double left = absl::ToDoubleSeconds(time) * (1 - share) / share;
    absl::StrAppend(&text, ", ETA ", MinutesAndSeconds(left));
  }
  if (!options_.terminal) {
    Write(absl::StrCat(text, "\n"));
    return;
  }
  // Spaces cover what is left of a longer line.
  const size_t width = text.size();
  if (width < bar_width_) text.append(bar_width_ - width, ' ');
  Write(absl::StrCat("\r", text));
  bar_width_ = width;
}

void Progress::ClearBar() {
  if (bar_width_ == 0) return;
  Write(absl::StrCat("\r", std::string(bar_width_, ' '), "\r"));
  bar_width_ = 0;
}

void Progress::Write(absl::string_view text) {
  if (options_.write) options_.write(text);
}

}  // namespace shardingdb
