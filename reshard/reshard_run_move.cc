// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Moving entries from one layout to another.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "reshard/mover.h"
#include "reshard/reshard_run.h"
#include "reshard/verifier.h"

namespace shardingdb {

absl::Status ReshardRun::Move() {
  absl::Status status = OpenInputs();
  // In place, opening the inputs has checked it.
  if (status.ok() && !plan_.in_place) status = set_->CheckFileLimit();
  if (status.ok()) status = OpenOutputs(/*existing_only=*/true);
  if (status.ok()) status = CheckLabels();
  if (status.ok() && plan_.in_place) status = TakeSurvey();
  if (!status.ok() || NothingToDo()) return status;
  status = Mark();
  if (status.ok() && plan_.in_place) {
    status = markers_.AddContents(result_.contents);
  }
  if (status.ok()) status = Copy();
  if (status.ok()) status = Verify("verify", /*allow_strays=*/true);
  if (status.ok()) status = Delete();
  if (status.ok()) status = PutLabels();
  return status.ok() ? Finish() : status;
}

void ReshardRun::SayRepeated(const Tally& tally) {
  if (tally.repeated == 0) return;
  run_.progress->Say(
      Progress::Level::kSummary,
      absl::StrCat(tally.repeated,
                   " entries are in more than one input, with one value"));
}

absl::Status ReshardRun::TakeSurvey() {
  run_.progress->StartPhase("survey", set_->ApproximateSizeOfAll());
  absl::StatusOr<Tally> survey = Survey(run_);
  if (!survey.ok()) return survey.status();
  run_.progress->EndPhase();
  survey_ = *std::move(survey);
  result_.contents = survey_->contents;
  SayRepeated(*survey_);
  if (plan_.contents.has_value() && *plan_.contents != survey_->contents) {
    return absl::AbortedError(absl::StrCat(
        "the folders have changed since a run was interrupted: it found ",
        plan_.contents->entries(), " entries with digest ",
        plan_.contents->ToHex(), ", there are ", survey_->contents.entries(),
        " with digest ", survey_->contents.ToHex()));
  }
  return absl::OkStatus();
}

bool ReshardRun::NothingToDo() const {
  if (!plan_.in_place || plan_.resumes() || survey_->missing > 0 ||
      !LabelsFit()) {
    return false;
  }
  for (uint64_t strays : survey_->strays) {
    if (strays > 0) return false;
  }
  for (size_t output : plan_.outputs) {
    const ReshardPlan::Member& member = plan_.members[output];
    if (!member.is_input && !member.holds_result) return false;
  }
  return true;
}

absl::Status ReshardRun::Copy() {
  run_.progress->StartPhase("copy", set_->ApproximateSizeOfAll());
  absl::StatusOr<Tally> copied = CopyToOwners(run_);
  if (!copied.ok()) return copied.status();
  run_.progress->EndPhase();
  copied_ = *std::move(copied);
  result_.moved = copied_.missing;
  result_.moved_bytes = copied_.missing_bytes;
  if (!plan_.in_place) {
    result_.contents = copied_.contents;
    SayRepeated(copied_);
  }
  return SyncOutputs(run_);
}

absl::Status ReshardRun::Verify(absl::string_view phase, bool allow_strays) {
  run_.progress->StartPhase(phase, SizeOfOutputs());
  const absl::Status status =
      VerifyOutputs(run_, allow_strays, result_.contents);
  if (status.ok()) run_.progress->EndPhase();
  return status;
}

absl::Status ReshardRun::Delete() {
  uint64_t strays = 0;
  uint64_t size = 0;
  for (size_t i = 0; i < copied_.strays.size(); ++i) {
    if (copied_.strays[i] == 0) continue;
    strays += copied_.strays[i];
    size += set_->ApproximateSize(i);
  }
  if (strays == 0 && !(plan_.in_place && plan_.resumes()))
    return absl::OkStatus();
  absl::Status status = CheckFoldersInPlace();
  if (!status.ok()) return status;
  run_.progress->StartPhase("scan and delete", size);
  status = DeleteStrays(run_, copied_.strays);
  if (!status.ok()) return status;
  run_.progress->EndPhase();
  for (const ReshardPlan::Member& member : plan_.members) {
    if (member.shard.has_value()) continue;
    run_.progress->Say(
        Progress::Level::kSummary,
        absl::StrCat(member.path,
                     ": emptied; it stays as a LevelDB without entries"));
  }
  return strays == 0 ? absl::OkStatus()
                     : Verify("verify again", /*allow_strays=*/false);
}

}  // namespace shardingdb
