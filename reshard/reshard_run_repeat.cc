// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Moving entries where an earlier run has done all or nearly all.

#include <algorithm>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "reshard/mover.h"
#include "reshard/reshard_run.h"
#include "reshard/verifier.h"

namespace shardingdb {

absl::StatusOr<MultisetDigest> ReshardRun::ReadInputs() {
  absl::Status status = OpenInputs();
  if (status.ok()) status = CheckLabels();
  if (!status.ok()) return status;
  run_.progress->StartPhase("survey", set_->ApproximateSizeOfAll());
  const auto survey = Survey(run_);
  if (!survey.ok()) return survey.status();
  run_.progress->EndPhase();
  return survey->contents;
}

absl::Status ReshardRun::TakeOutputsAsTheyAre() {
  run_.progress->StartPhase("verify", SizeOfOutputs());
  const auto found = ReadOutputs(run_, /*allow_strays=*/false);
  if (!found.ok()) return found.status();
  result_.contents = *found;
  run_.progress->EndPhase();
  return absl::OkStatus();
}

absl::Status ReshardRun::LookAtResult() {
  const absl::StatusOr<MultisetDigest> inputs = ReadInputs();
  if (!inputs.ok()) return inputs.status();
  const bool opens_values = plan_.command.values.change();
  const absl::Status changed = absl::FailedPreconditionError(absl::StrCat(
      run_.path(plan_.coordinator()),
      ": holds the result of this command, which finished before, and ",
      opens_values ? "the inputs or the result" : "the inputs",
      " have changed since. Keep it. To migrate them anew choose other output "
      "folders"));
  if (!opens_values && *inputs != plan_.earlier_contents) return changed;
  absl::Status status = OpenOutputs(/*existing_only=*/false);
  if (status.ok()) status = TakeOutputsAsTheyAre();
  if (!status.ok()) return status;
  // No digest of opened values was kept: there is only what is there.
  if (opens_values && result_.contents != *inputs) return changed;
  run_.progress->Say(Progress::Level::kSummary,
                     "this command finished before; nothing to move");
  return set_->Close();
}

absl::Status ReshardRun::FinishEarlierRun() {
  if (plan_.command.values.change()) {
    // A migration whose markers have no digest: its inputs are still there.
    const absl::StatusOr<MultisetDigest> inputs = ReadInputs();
    if (!inputs.ok()) return inputs.status();
    result_.contents = *inputs;
  } else {
    result_.contents = *plan_.contents;
  }
  absl::Status status = OpenOutputs(/*existing_only=*/false);
  if (status.ok()) {
    // What has no marker any more may have been in use since.
    status = std::all_of(plan_.members.begin(), plan_.members.end(),
                         [](const ReshardPlan::Member& member) {
                           return member.marked || !member.written;
                         })
                 ? Verify("verify", /*allow_strays=*/false)
                 : TakeOutputsAsTheyAre();
  }
  return status.ok() ? Finish() : status;
}

}  // namespace shardingdb
