// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/markers.h"

#include <unistd.h>

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "reshard/folder.h"
#include "reshard/plan.h"

namespace shardingdb {

Markers::Markers(const RunContext& run)
    : run_(run),
      name_(absl::StrCat(
          absl::FormatTime("%Y%m%dT%H%M%SZ", absl::Now(), absl::UTCTimeZone()),
          "-pid", ::getpid())) {}

Marker Markers::NewMarker() const {
  Marker marker;
  marker.run = name_;
  marker.command = run_.plan->command;
  return marker;
}

absl::Status Markers::ForEach(
    absl::FunctionRef<absl::Status(size_t member)> work) {
  const size_t coordinator = run_.plan->coordinator();
  for (size_t i = 0; i < run_.plan->members.size(); ++i) {
    if (!run_.plan->members[i].written || i == coordinator) continue;
    const absl::Status status = work(i);
    if (!status.ok()) return status;
  }
  return work(coordinator);
}

absl::Status Markers::Write() {
  Marker marker = NewMarker();
  marker.contents = run_.plan->contents;
  return ForEach([&](size_t i) {
    const ReshardPlan::Member& member = run_.plan->members[i];
    if (member.marked && !member.marker_damaged) return absl::OkStatus();
    const absl::Status marked = WriteMarker(run_.env, member.path, marker);
    if (marked.ok()) run_.Passed("folder marked");
    return marked;
  });
}

bool Markers::IsUsable(size_t member) const {
  if (run_.plan->members[member].is_input) return true;
  const absl::StatusOr<Folder> folder =
      LookAtFolder(run_.env, run_.path(member));
  return folder.ok() &&
         (folder->kind == Folder::Kind::kEmpty || folder->is_empty_database);
}

absl::Status Markers::TakeAway(const absl::Status& error) {
  const auto with = [&](absl::string_view what) {
    return absl::Status(error.code(), absl::StrCat(error.message(), what));
  };
  if (!run_.plan->NothingCopied()) {
    return with("; run the same command again to go on");
  }
  std::string kept;
  const absl::Status status = ForEach([&](size_t i) {
    if (!IsUsable(i)) {
      absl::StrAppend(&kept, kept.empty() ? "" : ",", run_.path(i));
      return absl::OkStatus();
    }
    const absl::Status removed = RemoveMarker(run_.env, run_.path(i));
    if (removed.ok()) run_.Passed("marker taken away");
    return removed;
  });
  if (!status.ok()) {
    return with(absl::StrCat(
        "; nothing was copied, but a marker cannot be removed (",
        status.message(), "): run the same command again, or remove the file ",
        kMarkerName, " from all folders of this command"));
  }
  if (kept.empty()) return with("; nothing was copied, the set is as it was");
  return with(absl::StrCat(
      "; nothing was copied, the set is as it was, but for new folders in "
      "which "
      "a database is half made: run the same command again, or remove them: ",
      kept));
}

absl::Status Markers::AddContents(const MultisetDigest& contents) {
  Marker marker = NewMarker();
  marker.contents = contents;
  return ForEach([&](size_t i) {
    const ReshardPlan::Member& member = run_.plan->members[i];
    // If an earlier run has come so far, Write had the contents too.
    const bool written_now = !member.marked || member.marker_damaged;
    if (member.marker_has_contents ||
        (written_now && run_.plan->contents.has_value())) {
      return absl::OkStatus();
    }
    const absl::Status marked = WriteMarker(run_.env, member.path, marker);
    if (marked.ok()) run_.Passed("contents marked");
    return marked;
  });
}

Marker Markers::FinishedMarker(const MultisetDigest& contents) const {
  Marker marker = NewMarker();
  marker.finished = true;
  if (!marker.command.values.change()) marker.contents = contents;
  return marker;
}

absl::Status Markers::SayFinished(const MultisetDigest& contents) {
  const absl::Status status = WriteMarker(
      run_.env, run_.path(run_.plan->coordinator()), FinishedMarker(contents));
  if (status.ok()) run_.Passed("finished");
  return status;
}

absl::Status Markers::PutRecords(const MultisetDigest& contents) {
  const Marker marker = FinishedMarker(contents);
  return ForEach([&](size_t i) {
    absl::Status status = WriteRecord(run_.env, run_.path(i), marker);
    if (!status.ok()) return status;
    run_.Passed("record written");
    status = RemoveMarker(run_.env, run_.path(i));
    if (status.ok()) run_.Passed("marker removed");
    return status;
  });
}

absl::Status Markers::Finish(const MultisetDigest& contents) {
  const absl::Status status = SayFinished(contents);
  return status.ok() ? PutRecords(contents) : status;
}

}  // namespace shardingdb
