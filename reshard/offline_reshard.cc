// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/offline_reshard.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "leveldb/iterator.h"
#include "reshard/bulk_read.h"
#include "reshard/folder.h"
#include "reshard/folder_lock.h"
#include "reshard/markers.h"
#include "reshard/mover.h"
#include "reshard/open_set.h"
#include "reshard/plan.h"
#include "reshard/run_context.h"
#include "reshard/storage_error.h"
#include "reshard/verifier.h"
#include "shardingdb/durable_folder.h"

namespace shardingdb {
namespace {

// One call of Reshard. The steps are those of docs/resharding.md.
class Run {
 public:
  explicit Run(const ReshardOptions& options);

  absl::StatusOr<ReshardResult> Execute();

 private:
  absl::Status Plan();
  absl::Status Lock();
  absl::Status OpenInputs();
  absl::Status TakeSurvey();
  absl::Status Mark();
  // Those that are there or marked, or all.
  absl::Status OpenOutputs(bool existing_only);
  // A new output that was there already.
  absl::Status CheckNoEntries(size_t output);
  absl::Status Copy();
  absl::Status Verify(absl::string_view phase, bool allow_strays);
  // Checks that each entry is in its place, and takes what there is for the
  // set.
  absl::Status TakeOutputsAsTheyAre();
  absl::Status Delete();
  absl::Status Finish();
  absl::Status FinishEarlierRun();
  // A migration that has finished before.
  absl::Status LookAtResult();

  bool NothingToDo() const;
  void DescribePlan();
  void SayRepeated(const Tally& tally);
  uint64_t SizeOfOutputs() const;

  const ReshardOptions& options_;
  leveldb::Env* const env_;
  Progress silence_{Progress::Options()};
  ReshardPlan plan_;
  std::vector<std::unique_ptr<FolderLock>> locks_;  // by member
  std::unique_ptr<OpenSet> set_;                    // goes before the locks
  RunContext run_;
  Markers markers_{run_};
  std::optional<Tally> survey_;  // in place only
  Tally copied_;
  ReshardResult result_;
};

Run::Run(const ReshardOptions& options)
    : options_(options),
      env_(options.env != nullptr ? options.env : leveldb::Env::Default()) {
  run_.plan = &plan_;
  run_.env = env_;
  run_.progress = options.progress != nullptr ? options.progress : &silence_;
  run_.batch_bytes = options.batch_bytes;
  run_.stop = options.stop;
  run_.on_step = options.on_step;
}

absl::StatusOr<ReshardResult> Run::Execute() {
  const absl::Time start = absl::Now();
  absl::Status status = Plan();
  if (status.ok()) status = Lock();
  // Only now does nobody change the folders.
  if (status.ok()) status = Plan();
  if (!status.ok()) return status;
  set_ = std::make_unique<OpenSet>(env_, plan_.members.size());
  run_.set = set_.get();
  DescribePlan();
  if (plan_.finished) {
    status = FinishEarlierRun();
  } else if (plan_.repeats) {
    status = LookAtResult();
  } else {
    status = OpenInputs();
    // In place, opening the inputs has checked it.
    if (status.ok() && !plan_.in_place) status = set_->CheckFileLimit();
    if (status.ok()) status = OpenOutputs(/*existing_only=*/true);
    if (status.ok() && plan_.in_place) status = TakeSurvey();
    if (status.ok() && !NothingToDo()) {
      status = Mark();
      if (status.ok() && plan_.in_place) {
        status = markers_.AddContents(result_.contents);
      }
      if (status.ok()) status = Copy();
      if (status.ok()) status = Verify("verify", /*allow_strays=*/true);
      if (status.ok()) status = Delete();
      if (status.ok()) status = Finish();
    }
  }
  if (!status.ok()) return status;
  result_.time = absl::Now() - start;
  return result_;
}

absl::Status Run::Plan() {
  absl::StatusOr<std::vector<Folder>> inputs =
      LookAtFolders(env_, options_.inputs);
  if (!inputs.ok()) return inputs.status();
  absl::StatusOr<std::vector<Folder>> outputs =
      LookAtFolders(env_, options_.outputs);
  if (!outputs.ok()) return outputs.status();
  absl::StatusOr<ReshardPlan> plan = PlanReshard(
      *inputs, *outputs,
      options_.function != nullptr ? options_.function : JumpSharding());
  if (!plan.ok()) return plan.status();
  plan_ = *std::move(plan);
  return absl::OkStatus();
}

absl::Status Run::Lock() {
  locks_.resize(plan_.members.size());
  for (size_t i = 0; i < plan_.members.size(); ++i) {
    if (!plan_.members[i].written || plan_.members[i].is_missing) continue;
    absl::StatusOr<std::unique_ptr<FolderLock>> lock =
        FolderLock::Take(plan_.members[i].path);
    if (!lock.ok()) return lock.status();
    locks_[i] = *std::move(lock);
  }
  return absl::OkStatus();
}

void Run::DescribePlan() {
  for (const ReshardPlan::Member& member : plan_.members) {
    std::string what = member.is_input ? "input" : "new";
    if (member.shard.has_value()) {
      absl::StrAppend(&what, ", shard ", *member.shard, " of ",
                      plan_.outputs.size());
    } else {
      absl::StrAppend(
          &what, plan_.in_place ? ", will be emptied" : ", stays as it is");
    }
    run_.progress->Say(Progress::Level::kDetail,
                       absl::StrCat(member.path, ": ", what));
  }
  if (plan_.resumes()) {
    run_.progress->Say(Progress::Level::kSummary,
                       "going on with a run that was interrupted");
  }
}

void Run::SayRepeated(const Tally& tally) {
  if (tally.repeated == 0) return;
  run_.progress->Say(
      Progress::Level::kSummary,
      absl::StrCat(tally.repeated,
                   " entries are in more than one input, with one value"));
}

absl::Status Run::OpenInputs() {
  for (size_t i = 0; i < plan_.members.size(); ++i) {
    const ReshardPlan::Member& member = plan_.members[i];
    if (!member.is_input) continue;
    OpenSet::WriteMode mode;
    mode.accept_torn_log = member.marked && !plan_.NothingCopied();
    const absl::Status status = member.written
                                    ? set_->OpenToWrite(i, member.path, mode)
                                    : set_->OpenToRead(i, member.path);
    if (!status.ok()) return status;
  }
  run_.Passed("inputs opened");
  // A folder that is only read is locked since it was opened: is it still what
  // was planned with?
  return plan_.in_place ? absl::OkStatus() : Plan();
}

absl::Status Run::TakeSurvey() {
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

bool Run::NothingToDo() const {
  if (!plan_.in_place || plan_.resumes() || survey_->missing > 0) return false;
  for (uint64_t strays : survey_->strays) {
    if (strays > 0) return false;
  }
  for (size_t output : plan_.outputs) {
    const ReshardPlan::Member& member = plan_.members[output];
    if (!member.is_input && !member.holds_result) return false;
  }
  return true;
}

absl::Status Run::Mark() {
  for (size_t i = 0; i < plan_.members.size(); ++i) {
    const ReshardPlan::Member& member = plan_.members[i];
    if (!member.is_missing) continue;
    absl::Status status = MakeFolder(member.path);
    if (!status.ok()) return status;
    absl::StatusOr<std::unique_ptr<FolderLock>> lock =
        FolderLock::Take(member.path);
    if (!lock.ok()) return lock.status();
    locks_[i] = *std::move(lock);
    run_.Passed("folder made");
  }
  // Another run may have been at a folder before it was made and locked here.
  absl::Status status = Plan();
  if (!status.ok()) return status;
  status = markers_.Write();
  if (status.ok()) status = OpenOutputs(/*existing_only=*/false);
  return status.ok() ? status : markers_.TakeAway(status);
}

absl::Status Run::OpenOutputs(bool existing_only) {
  for (size_t output : plan_.outputs) {
    const ReshardPlan::Member& member = plan_.members[output];
    if (set_->is_open(output)) continue;
    // Opening makes files, which only marked folders may get.
    if (existing_only && !member.marked && !member.is_database) continue;
    OpenSet::WriteMode mode;
    mode.create = !plan_.finished && !member.holds_result;
    // A result may have been in use since.
    mode.accept_torn_log = !member.holds_result;
    absl::Status status = set_->OpenToWrite(output, member.path, mode);
    if (status.ok()) status = CheckNoEntries(output);
    if (!status.ok()) return status;
    run_.Passed("output opened");
  }
  return absl::OkStatus();
}

absl::Status Run::CheckNoEntries(size_t output) {
  const ReshardPlan::Member& member = plan_.members[output];
  if (plan_.finished || member.marked || member.holds_result) {
    return absl::OkStatus();
  }
  const std::unique_ptr<leveldb::Iterator> iterator(
      set_->db(output)->NewIterator(BulkReadOptions()));
  iterator->SeekToFirst();
  if (!iterator->Valid()) {
    return StorageError(env_, member.path, iterator->status());
  }
  return absl::FailedPreconditionError(
      absl::StrCat(member.path,
                   ": holds other data: entries that a program has put there "
                   "after this run had begun; choose another folder"));
}

uint64_t Run::SizeOfOutputs() const {
  uint64_t size = 0;
  for (size_t output : plan_.outputs) size += set_->ApproximateSize(output);
  return size;
}

absl::Status Run::Copy() {
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

absl::Status Run::Verify(absl::string_view phase, bool allow_strays) {
  run_.progress->StartPhase(phase, SizeOfOutputs());
  const absl::Status status =
      VerifyOutputs(run_, allow_strays, result_.contents);
  if (status.ok()) run_.progress->EndPhase();
  return status;
}

absl::Status Run::Delete() {
  uint64_t strays = 0;
  uint64_t size = 0;
  for (size_t i = 0; i < copied_.strays.size(); ++i) {
    if (copied_.strays[i] == 0) continue;
    strays += copied_.strays[i];
    size += set_->ApproximateSize(i);
  }
  if (strays == 0) return absl::OkStatus();
  run_.progress->StartPhase("scan and delete", size);
  absl::Status status = DeleteStrays(run_, copied_.strays);
  if (!status.ok()) return status;
  run_.progress->EndPhase();
  for (const ReshardPlan::Member& member : plan_.members) {
    if (member.shard.has_value()) continue;
    run_.progress->Say(
        Progress::Level::kSummary,
        absl::StrCat(member.path,
                     ": emptied; it stays as a LevelDB without entries"));
  }
  return Verify("verify again", /*allow_strays=*/false);
}

absl::Status Run::Finish() {
  absl::Status status = set_->Close();
  if (!status.ok()) return status;
  run_.Passed("closed");
  return markers_.Finish(result_.contents);
}

absl::Status Run::TakeOutputsAsTheyAre() {
  run_.progress->StartPhase("verify", SizeOfOutputs());
  const auto found = ReadOutputs(run_, /*allow_strays=*/false);
  if (!found.ok()) return found.status();
  result_.contents = *found;
  run_.progress->EndPhase();
  return absl::OkStatus();
}

absl::Status Run::LookAtResult() {
  absl::Status status = OpenInputs();
  if (!status.ok()) return status;
  run_.progress->StartPhase("survey", set_->ApproximateSizeOfAll());
  const auto survey = Survey(run_);
  if (!survey.ok()) return survey.status();
  run_.progress->EndPhase();
  if (survey->contents != plan_.earlier_contents) {
    return absl::FailedPreconditionError(absl::StrCat(
        run_.path(plan_.coordinator()),
        ": holds the result of this command, which finished before, and the "
        "inputs have changed since. Keep it. To migrate them anew choose other "
        "output folders"));
  }
  status = OpenOutputs(/*existing_only=*/false);
  if (status.ok()) status = TakeOutputsAsTheyAre();
  if (!status.ok()) return status;
  run_.progress->Say(Progress::Level::kSummary,
                     "this command finished before; nothing to move");
  return set_->Close();
}

absl::Status Run::FinishEarlierRun() {
  result_.contents = *plan_.contents;
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

}  // namespace

absl::StatusOr<ReshardResult> Reshard(const ReshardOptions& options) {
  return Run(options).Execute();
}

}  // namespace shardingdb
