// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_MARKERS_H_
#define SHARDINGDB_RESHARD_MARKERS_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "reshard/marker.h"
#include "reshard/multiset_digest.h"
#include "reshard/run_context.h"

namespace shardingdb {

// The markers of all folders that a run writes, from the first one to the
// record that replaces the last.
//
// Those of a run in place get their contents only when every folder has one, so
// that a marker without contents proves that nothing has been copied: whatever
// a program has written since into a folder that had no marker yet is part of
// the set, and there is nothing to compare with.
//
// For one thread. Errors are those of WriteMarker and RemoveMarker.
class Markers {
 public:
  // `run` must outlive it.
  explicit Markers(const RunContext& run);
  Markers(const Markers&) = delete;
  Markers& operator=(const Markers&) = delete;

  // Marks the folders that are not marked or whose marker is damaged, the
  // coordinator last. With the contents that an earlier run found, if its
  // markers say them.
  [[nodiscard]] absl::Status Write();

  // After `error`, which has come before AddContents: removes all markers, if
  // they prove that nothing was copied. A new output whose database is half
  // made keeps its own, which lets the same command in. Returns `error` and
  // what became of the markers.
  [[nodiscard]] absl::Status TakeAway(const absl::Status& error);

  // In place: says in all markers what the folders hold together. REQUIRES:
  // Write has returned OK, and nothing is copied before this has.
  [[nodiscard]] absl::Status AddContents(const MultisetDigest& contents);

  // Says in the coordinator's marker that all work is done.
  [[nodiscard]] absl::Status SayFinished(const MultisetDigest& contents);

  // Then replaces all markers by records of a run that has finished.
  [[nodiscard]] absl::Status PutRecords(const MultisetDigest& contents);

  // Both.
  [[nodiscard]] absl::Status Finish(const MultisetDigest& contents);

 private:
  Marker NewMarker() const;
  Marker FinishedMarker(const MultisetDigest& contents) const;
  // True if any command would take it for an output.
  bool IsUsable(size_t member) const;
  // Calls `work` with each member that is written, the coordinator last.
  absl::Status ForEach(absl::FunctionRef<absl::Status(size_t member)> work);

  const RunContext& run_;
  const std::string name_;  // when and by whom the run was begun
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_MARKERS_H_
