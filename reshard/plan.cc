// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/plan.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

bool SameFolder(const Folder& a, const Folder& b) {
  if (a.path == b.path) return true;
  return a.inode != 0 && a.inode == b.inode && a.device == b.device;
}

absl::Status Refused(const Folder& folder, absl::string_view why) {
  return absl::FailedPreconditionError(absl::StrCat(folder.path, ": ", why));
}

// The index of the folder in `folders` that is `folder`; folders.size() if none
// is.
size_t IndexOf(const std::vector<Folder>& folders, const Folder& folder) {
  return std::find_if(
             folders.begin(), folders.end(),
             [&](const Folder& other) { return SameFolder(other, folder); }) -
         folders.begin();
}

absl::Status CheckDistinct(const std::vector<Folder>& folders,
                           absl::string_view side) {
  for (size_t i = 0; i < folders.size(); ++i) {
    const size_t first = IndexOf(folders, folders[i]);
    if (first == i) continue;
    return Refused(folders[i], absl::StrCat("listed twice after ", side,
                                            " (as '", folders[first].given,
                                            "' and '", folders[i].given, "')"));
  }
  return absl::OkStatus();
}

absl::Status CheckNotNested(const std::vector<Folder>& folders) {
  // With a slash at the end, what lies in a folder follows it at once.
  std::vector<std::string> paths;
  for (const Folder& folder : folders) paths.push_back(folder.path + "/");
  std::sort(paths.begin(), paths.end());
  for (size_t i = 0; i + 1 < paths.size(); ++i) {
    if (!absl::StartsWith(paths[i + 1], paths[i])) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(paths[i + 1].substr(0, paths[i + 1].size() - 1),
                     ": lies inside ", paths[i].substr(0, paths[i].size() - 1),
                     ", another folder of this ", "command"));
  }
  return absl::OkStatus();
}

absl::Status CheckInput(const Folder& folder) {
  switch (folder.kind) {
    case Folder::Kind::kMissing:
      return Refused(folder, "there is no such folder to read from");
    case Folder::Kind::kFile:
      return Refused(folder, "is not a folder");
    case Folder::Kind::kEmpty:
      return Refused(folder, "there is no LevelDB in this folder: it is empty");
    case Folder::Kind::kOther:
      return Refused(folder,
                     "there is no LevelDB in this folder: it holds files, but "
                     "not the file CURRENT that every database has");
    case Folder::Kind::kDatabase:
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

// What a refusal says of the data in an output.
absl::Status HoldsOtherData(const Folder& folder) {
  if (folder.kind == Folder::Kind::kOther) {
    return Refused(folder,
                   "holds other data: files, but no LevelDB; choose another "
                   "folder");
  }
  const std::string earlier =
      folder.record.has_value()
          ? absl::StrCat("the result of an earlier run (reshard ",
                         folder.record->command.ToString(), ")")
          : "a LevelDB, perhaps the result of an earlier run";
  return Refused(
      folder,
      absl::StrCat("holds other data: ", earlier,
                   ". Keep it. If its entries belong to the set, name all "
                   "folders that hold entries of the set after -i, this one "
                   "too; otherwise choose another folder"));
}

// `done`: an earlier run of this command has written all outputs.
absl::Status CheckNewOutput(const Folder& folder, bool done) {
  switch (folder.kind) {
    case Folder::Kind::kMissing:
    case Folder::Kind::kEmpty:
      return absl::OkStatus();
    case Folder::Kind::kFile:
      return Refused(folder, "is not a folder");
    case Folder::Kind::kDatabase:
    case Folder::Kind::kOther:
      break;
  }
  if (done || folder.marker.has_value() || !folder.marker_damage.ok() ||
      folder.is_empty_database) {
    return absl::OkStatus();
  }
  return HoldsOtherData(folder);
}

bool HasRecordOf(const Folder& folder, const ReshardCommand& command) {
  return folder.record.has_value() && folder.record->command == command;
}

// True if a run of this command has marked the folder, or finished there.
bool WasWrittenBy(const Folder& folder, const ReshardCommand& command) {
  return folder.marker.has_value() || !folder.marker_damage.ok() ||
         HasRecordOf(folder, command);
}

absl::Status IsDamaged(const Folder& folder) {
  return absl::DataLossError(absl::StrCat(
      folder.marker_damage.message(),
      ". It says which reshard is unfinished, and the other folders of that "
      "run hold the same file: run the command again that one of them says. If "
      "none can be read, remove this file and name all folders of that run "
      "after -i: together they hold every entry"));
}

// A damaged marker counts as what those of the other folders say.
absl::Status CheckDamaged(const std::vector<Folder>& folders,
                          const ReshardPlan& plan) {
  const bool known =
      std::any_of(folders.begin(), folders.end(), [&](const Folder& folder) {
        return folder.marker.has_value() || HasRecordOf(folder, plan.command);
      });
  for (size_t i = 0; i < folders.size(); ++i) {
    if (folders[i].marker_damage.ok()) continue;
    if (!known || !plan.members[i].written) return IsDamaged(folders[i]);
  }
  return absl::OkStatus();
}

// Takes what records say of an earlier run of the same command into `plan`,
// whose members and markers are known.
absl::Status TakeRecords(const std::vector<Folder>& folders,
                         ReshardPlan* plan) {
  bool all_hold_result = true;
  for (size_t output : plan->outputs) {
    const Folder& folder = folders[output];
    ReshardPlan::Member& member = plan->members[output];
    member.holds_result = !member.is_input && !member.marked &&
                          folder.kind == Folder::Kind::kDatabase &&
                          HasRecordOf(folder, plan->command);
    all_hold_result = all_hold_result && member.holds_result;
    if (HasRecordOf(folder, plan->command)) {
      plan->earlier_contents = folder.record->contents;
    }
  }
  plan->repeats = !plan->in_place && !plan->resumes() && all_hold_result;
  if (plan->recodes()) {
    // Sealing again under a ring's primary is never done once and for all.
    plan->repeats =
        !plan->resumes() &&
        plan->command.values.in != plan->command.values.out &&
        std::all_of(folders.begin(), folders.end(), [&](const Folder& folder) {
          return HasRecordOf(folder, plan->command);
        });
  }
  if (!plan->in_place || plan->resumes()) return absl::OkStatus();
  if (!plan->earlier_contents.has_value() ||
      plan->earlier_contents->entries() == 0) {
    return absl::OkStatus();
  }
  for (size_t output : plan->outputs) {
    if (folders[output].kind == Folder::Kind::kDatabase) continue;
    return Refused(
        folders[output],
        absl::StrCat("there is no LevelDB, but this command finished before "
                     "and put entries there. Bring the folder back. If the set "
                     "is whole without it, remove the file ",
                     kRecordName, " from the other folders"));
  }
  return absl::OkStatus();
}

absl::Status TakesPart(const Folder& folder) {
  const ReshardCommand& command = folder.marker->command;
  return Refused(
      folder,
      absl::StrCat("takes part in an unfinished reshard; run that again to "
                   "finish it: reshard ",
                   command.ToString(),
                   command.IsMigration()
                       ? " (its inputs are as they were, so its outputs may be "
                         "removed instead)"
                       : ""));
}

ReshardCommand CommandOf(const std::vector<Folder>& inputs,
                         const std::vector<Folder>& outputs,
                         const ShardingFunc& function,
                         const ValueForms& values) {
  ReshardCommand command;
  command.values = values;
  for (const Folder& input : inputs) command.inputs.push_back(input.path);
  std::sort(command.inputs.begin(), command.inputs.end());
  for (const Folder& output : outputs) command.outputs.push_back(output.path);
  command.function = function.name();
  return command;
}

absl::Status FoldersAndValuesAtOnce() {
  return absl::InvalidArgumentError(
      "in place, the folders of a set and how its values are stored cannot "
      "change at once: do it in two commands, one with these folders and no "
      "flag about values, and one with such flags and the same folders after "
      "-i and -o (into new folders both can change at once)");
}

// Takes what the markers of an earlier run say into `plan`.
absl::Status TakeMarkers(const std::vector<Folder>& folders,
                         ReshardPlan* plan) {
  for (size_t i = 0; i < folders.size(); ++i) {
    const std::optional<Marker>& marker = folders[i].marker;
    plan->members[i].marker_damaged = !folders[i].marker_damage.ok();
    plan->members[i].marked =
        marker.has_value() || plan->members[i].marker_damaged;
    if (!marker.has_value()) continue;
    if (!marker->contents.has_value()) continue;
    if (plan->contents.has_value() && *plan->contents != *marker->contents) {
      return Refused(folders[i],
                     "its marker disagrees with that of another folder about "
                     "what the set holds");
    }
    plan->members[i].marker_has_contents = true;
    plan->contents = marker->contents;
  }
  return absl::OkStatus();
}

}  // namespace

bool ReshardPlan::resumes() const {
  return std::any_of(members.begin(), members.end(),
                     [](const Member& member) { return member.marked; });
}

bool ReshardPlan::NothingCopied() const {
  if (!resumes()) return true;
  if (command.values.change()) return false;
  return in_place && !contents.has_value() &&
         std::any_of(members.begin(), members.end(), [](const Member& member) {
           return member.marked && !member.marker_damaged;
         });
}

absl::StatusOr<size_t> ReshardPlan::OwnerOf(const leveldb::Slice& key) const {
  const uint32_t shard =
      function->ShardOf(key, static_cast<uint32_t>(outputs.size()));
  if (shard < outputs.size()) return outputs[shard];
  return absl::FailedPreconditionError(
      absl::StrCat("sharding function '", function->name(), "' answered ",
                   shard, " for ", outputs.size(), " shards"));
}

absl::StatusOr<ReshardPlan> PlanReshard(const std::vector<Folder>& inputs,
                                        const std::vector<Folder>& outputs,
                                        const ShardingFuncPtr& function,
                                        const ValueForms& values) {
  if (inputs.empty()) return absl::InvalidArgumentError("no input folders");
  if (outputs.empty()) return PlanReshard(inputs, inputs, function, values);
  if (outputs.size() > kMaxShards) {
    return absl::InvalidArgumentError(absl::StrCat(
        outputs.size(), " outputs; there can be ", kMaxShards, " shards"));
  }
  if (!function->allowed_for_new_sets()) {
    return absl::FailedPreconditionError(
        absl::StrCat("sharding function '", function->name(),
                     "' is for reading old data only"));
  }

  absl::Status status = CheckDistinct(inputs, "-i");
  if (status.ok()) status = CheckDistinct(outputs, "-o");
  if (!status.ok()) return status;

  ReshardPlan plan;
  plan.function = function;
  plan.command = CommandOf(inputs, outputs, *function, values);
  std::vector<Folder> folders = inputs;
  for (const Folder& output : outputs) {
    const size_t member = IndexOf(folders, output);
    if (member == folders.size()) folders.push_back(output);
    if (member < inputs.size()) plan.in_place = true;
    plan.outputs.push_back(member);
  }
  if (plan.recodes() &&
      (folders.size() != inputs.size() || folders.size() != outputs.size())) {
    return FoldersAndValuesAtOnce();
  }
  const std::optional<Marker>& last = folders[plan.coordinator()].marker;
  plan.finished =
      last.has_value() && last->finished && last->command == plan.command;
  const bool done =
      plan.finished ||
      std::all_of(plan.outputs.begin(), plan.outputs.end(), [&](size_t output) {
        return WasWrittenBy(folders[output], plan.command);
      });
  status = CheckNotNested(folders);
  for (size_t i = 0; i < folders.size() && status.ok(); ++i) {
    const std::optional<Marker>& marker = folders[i].marker;
    if (marker.has_value() && marker->command != plan.command) {
      return TakesPart(folders[i]);
    }
    status = i < inputs.size() ? CheckInput(folders[i])
                               : CheckNewOutput(folders[i], done);
    ReshardPlan::Member member;
    member.path = folders[i].path;
    member.is_input = i < inputs.size();
    member.is_missing = folders[i].kind == Folder::Kind::kMissing;
    member.is_database = folders[i].kind == Folder::Kind::kDatabase;
    member.written = plan.in_place || !member.is_input;
    plan.members.push_back(member);
  }
  if (!status.ok()) return status;
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    plan.members[plan.outputs[i]].shard = static_cast<uint32_t>(i);
  }
  status = CheckDamaged(folders, plan);
  if (status.ok()) status = TakeMarkers(folders, &plan);
  if (status.ok()) status = TakeRecords(folders, &plan);
  if (!status.ok()) return status;
  return plan;
}

absl::Status CheckToRead(const std::vector<Folder>& folders) {
  if (folders.empty()) return absl::InvalidArgumentError("no input folders");
  absl::Status status = CheckDistinct(folders, "-i");
  for (size_t i = 0; i < folders.size() && status.ok(); ++i) {
    status = CheckInput(folders[i]);
    if (folders[i].marker.has_value()) status = TakesPart(folders[i]);
    if (!folders[i].marker_damage.ok()) status = IsDamaged(folders[i]);
  }
  return status;
}

}  // namespace shardingdb
