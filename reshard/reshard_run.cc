// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/reshard_run.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "crypto/key_prf.h"
#include "leveldb/iterator.h"
#include "reshard/bulk_read.h"
#include "reshard/folder.h"
#include "reshard/forgotten_folder.h"
#include "reshard/recoded_ranges.h"
#include "reshard/storage_error.h"
#include "reshard/value_codec.h"
#include "shardingdb/durable_folder.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

RateLimiter::Options LimiterOptions(const ReshardOptions& options) {
  RateLimiter::Options limiter;
  limiter.bytes_per_second = options.throttle_bytes_per_second;
  limiter.stop = options.stop;
  return limiter;
}

bool SameSecret(const KeyPrf* a, const KeyPrf* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->secret() == b->secret();
}

}  // namespace

ReshardRun::ReshardRun(const ReshardOptions& options)
    : options_(options),
      env_(options.env != nullptr ? options.env : leveldb::Env::Default()),
      limiter_(LimiterOptions(options)) {
  run_.plan = &plan_;
  run_.env = env_;
  run_.progress = options.progress != nullptr ? options.progress : &silence_;
  run_.batch_bytes = options.batch_bytes;
  run_.in_values = options.in_values;
  run_.out_values = options.out_values;
  run_.limiter = &limiter_;
  run_.stop = options.stop;
  run_.on_step = options.on_step;
}

absl::StatusOr<ReshardResult> ReshardRun::Execute() {
  const absl::Time start = absl::Now();
  if (!options_.out_values.writable()) {
    return absl::InvalidArgumentError(
        "values are written as they are, compressed, or sealed under a key "
        "ring, and in no other form");
  }
  if (options_.in_values.opaque_keys != options_.out_values.opaque_keys) {
    return absl::InvalidArgumentError(
        "keys cannot become opaque here, nor opaque keys clear: copy the set "
        "through a program");
  }
  if (options_.in_values.opaque_keys &&
      !SameSecret(options_.in_values.key_prf.get(),
                  options_.out_values.key_prf.get())) {
    return absl::InvalidArgumentError(
        "opaque keys stay as they are: the KeyPrf of the values must be the "
        "same before and after");
  }
  absl::Status status = Plan();
  if (status.ok()) status = Lock();
  // Only now does nobody change the folders.
  if (status.ok()) status = Plan();
  if (!status.ok()) return status;
  set_ = std::make_unique<OpenSet>(env_, plan_.members.size());
  run_.set = set_.get();
  DescribePlan();
  if (plan_.finished) {
    status = plan_.recodes() ? FinishEarlierRecoding() : FinishEarlierRun();
  } else if (plan_.repeats) {
    status = plan_.recodes() ? LookAtRecoded() : LookAtResult();
  } else {
    status = plan_.recodes() ? Recode() : Move();
  }
  if (!status.ok()) return status;
  result_.time = absl::Now() - start;
  return result_;
}

absl::Status ReshardRun::Plan() {
  absl::StatusOr<std::vector<Folder>> inputs =
      LookAtFolders(env_, options_.inputs);
  if (!inputs.ok()) return inputs.status();
  absl::StatusOr<std::vector<Folder>> outputs =
      LookAtFolders(env_, options_.outputs);
  if (!outputs.ok()) return outputs.status();
  absl::StatusOr<ReshardPlan> plan = PlanReshard(
      *inputs, *outputs,
      options_.function != nullptr ? options_.function : JumpSharding(),
      {options_.in_values.name, options_.out_values.name});
  if (!plan.ok()) return plan.status();
  plan_ = *std::move(plan);
  return plan_.resumes() ? absl::OkStatus()
                         : CheckNoneForgotten(env_, *inputs, *outputs);
}

absl::Status ReshardRun::CheckFoldersInPlace() const {
  for (const std::unique_ptr<FolderLock>& lock : locks_) {
    if (lock == nullptr) continue;
    absl::Status status = lock->CheckInPlace();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ReshardRun::Lock() {
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

void ReshardRun::DescribePlan() {
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

absl::Status ReshardRun::OpenInputs() {
  for (size_t i = 0; i < plan_.members.size(); ++i) {
    const ReshardPlan::Member& member = plan_.members[i];
    if (!member.is_input) continue;
    OpenSet::WriteMode mode;
    mode.accept_torn_log = member.marked && !plan_.NothingCopied();
    mode.compress = options_.out_values.plain();
    absl::Status status = member.written
                              ? set_->OpenToWrite(i, member.path, mode)
                              : set_->OpenToRead(i, member.path);
    if (status.ok()) status = OpenInputValues(i);
    if (!status.ok()) return status;
  }
  run_.Passed("inputs opened");
  // A folder that is only read is locked since it was opened: is it still what
  // was planned with?
  return plan_.in_place ? absl::OkStatus() : Plan();
}

absl::Status ReshardRun::OpenInputValues(size_t input) {
  if (plan_.recodes()) {
    const absl::StatusOr<RecodedRanges> ranges =
        RecodedRanges::Read(set_->db(input), plan_.command.values);
    if (!ranges.ok()) return Annotate(ranges.status(), run_.path(input));
    // What an unfinished run has rewritten is in its new form already.
    if (!ranges->empty()) return absl::OkStatus();
  }
  const absl::Status status =
      NameDamage(env_, run_.path(input),
                 Annotate(CheckFirstValues(set_->db(input), options_.in_values,
                                           options_.out_values),
                          run_.path(input)));
  if (!status.ok() || plan_.recodes()) return status;
  return set_->OpenValues(input,
                          ReaderOf(options_.in_values, options_.out_values));
}

absl::Status ReshardRun::Mark() {
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

absl::Status ReshardRun::OpenOutputs(bool existing_only) {
  for (size_t output : plan_.outputs) {
    const ReshardPlan::Member& member = plan_.members[output];
    if (set_->is_open(output)) continue;
    // Opening makes files, which only marked folders may get.
    if (existing_only && !member.marked && !member.is_database) continue;
    OpenSet::WriteMode mode;
    mode.create = !plan_.finished && !member.holds_result;
    // A result, or what has no marker any more, may have been in use since.
    mode.accept_torn_log =
        !member.holds_result && (member.marked || !member.is_input);
    mode.compress = options_.out_values.plain();
    absl::Status status = set_->OpenToWrite(output, member.path, mode);
    if (status.ok()) status = CheckNoEntries(output);
    // A label is no value: nothing but entries goes through the codec.
    if (status.ok() && !plan_.recodes()) {
      status = set_->OpenValues(output, options_.out_values.aead);
    }
    if (!status.ok()) return status;
    run_.Passed("output opened");
  }
  return absl::OkStatus();
}

absl::Status ReshardRun::CheckNoEntries(size_t output) {
  const ReshardPlan::Member& member = plan_.members[output];
  if (member.is_input || plan_.finished || member.marked ||
      member.holds_result) {
    return absl::OkStatus();
  }
  const std::unique_ptr<leveldb::Iterator> iterator(
      set_->db(output)->NewIterator(BulkReadOptions()));
  iterator->SeekToFirst();
  if (iterator->Valid() && iterator->key() == ShardLabelKey()) iterator->Next();
  if (!iterator->Valid()) {
    return StorageError(env_, member.path, iterator->status());
  }
  return absl::FailedPreconditionError(
      absl::StrCat(member.path,
                   ": holds other data: entries that a program has put there "
                   "after this run had begun; choose another folder"));
}

uint64_t ReshardRun::SizeOfOutputs() const {
  uint64_t size = 0;
  for (size_t output : plan_.outputs) size += set_->ApproximateSize(output);
  return size;
}

absl::Status ReshardRun::Finish() {
  absl::Status status = set_->Close();
  if (!status.ok()) return status;
  run_.Passed("closed");
  status = CheckFoldersInPlace();
  if (!status.ok()) return status;
  return markers_.Finish(result_.contents);
}

}  // namespace shardingdb
