// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_PROGRESS_H_
#define SHARDINGDB_RESHARD_PROGRESS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace shardingdb {

// What a run tells the person who waits for it: lines of text, and for each
// phase how far it is, how fast, and how long it will take.
//
// On a terminal that is a bar in the last line which is drawn over; otherwise a
// line every few seconds.
//
// Safe to call from any thread; Advance costs a few atomic additions.
class Progress {
 public:
  enum class Level { kSilent = 0, kSummary = 1, kDetail = 2 };

  struct Options {
    // Text of a higher level than this is dropped.
    Level level = Level::kSummary;

    // Draws a bar.
    bool terminal = false;

    // Takes text as it is to appear. Null drops everything.
    std::function<void(absl::string_view)> write;

    // What time it is; null means absl::Now.
    std::function<absl::Time()> now;
  };

  explicit Progress(Options options);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Removes the bar.
  ~Progress();

  // Says `text`, which is one line without its end.
  void Say(Level level, absl::string_view text);

  // Begins a phase, and ends the one before. `size` is the sum of what Advance
  // will be told as `steps`; 0 if that is not known.
  void StartPhase(absl::string_view name, uint64_t size);
  void EndPhase();

  // `steps` of the phase's size, `entries` and `bytes` were done.
  void Advance(uint64_t steps, uint64_t entries, uint64_t bytes);

 private:
  void EndPhaseLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Show(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ClearBar() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Write(absl::string_view text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Time Now() const;
  bool Wanted(Level level) const;

  const Options options_;
  std::atomic<uint64_t> steps_{0};
  std::atomic<uint64_t> entries_{0};
  std::atomic<uint64_t> bytes_{0};
  std::atomic<int64_t> next_show_nanos_{0};

  absl::Mutex mutex_;
  std::string phase_ ABSL_GUARDED_BY(mutex_);  // empty between phases
  uint64_t size_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Time started_ ABSL_GUARDED_BY(mutex_);
  size_t bar_width_ ABSL_GUARDED_BY(mutex_) = 0;  // of what is drawn
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_PROGRESS_H_
