// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Changing how the values of folders that stay as they are are stored.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "reshard/marker.h"
#include "reshard/recoder.h"
#include "reshard/reshard_run.h"
#include "reshard/stale_values.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

bool BelongsToLevelDb(absl::string_view name) {
  static const auto* const kNames = new std::set<std::string>{
      ".", "..", "CURRENT", "CURRENT.bak", "LOCK", "LOG", "LOG.old"};
  if (kNames->count(std::string(name)) > 0) return true;
  if (absl::StartsWith(name, "MANIFEST-")) return true;
  return IsTableFile(name) || IsNumbered(name, ".log") ||
         IsNumbered(name, ".dbtmp") || IsMarkerFile(name);
}

// What a table that is a link leads to would stay, with its old values, when
// LevelDB removes the link.
absl::Status CheckNoLinkedTables(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (!file->is_symlink(error) ||
        !(IsTableFile(name) || IsNumbered(name, ".log"))) {
      continue;
    }
    return absl::FailedPreconditionError(absl::StrCat(
        file->path().string(), ": is a symbolic link to ",
        std::filesystem::read_symlink(file->path(), error).string(),
        ", where old values would stay: put the file itself in its place"));
  }
  return absl::OkStatus();
}

// A database that is closed needs one log. LevelDB does not tell if it could
// not remove another, which may hold old values.
absl::Status CheckOneLog(leveldb::Env* env, const std::string& folder) {
  std::vector<std::string> names;
  const leveldb::Status status = env->GetChildren(folder, &names);
  if (!status.ok()) return Annotate(ToAbslStatus(status), folder);
  const auto logs = std::count_if(
      names.begin(), names.end(),
      [](const std::string& name) { return IsNumbered(name, ".log"); });
  if (logs <= 1) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(
      folder,
      ": a log that holds old values cannot be removed; run the same "
      "command again"));
}

}  // namespace

absl::Status ReshardRun::Recode() {
  absl::Status status = OpenInputs();
  if (status.ok()) status = CheckLabels();
  for (size_t i = 0; i < plan_.outputs.size() && status.ok(); ++i)
    status = CheckNoLinkedTables(run_.path(plan_.outputs[i]));
  uint64_t to_rewrite = 0;
  if (status.ok()) status = SurveyValues(&to_rewrite);
  if (status.ok()) status = Mark();
  if (!status.ok()) return status;
  run_.progress->StartPhase("rewrite", SizeOfOutputs());
  const absl::StatusOr<Rewritten> rewritten = RewriteValues(run_);
  if (!rewritten.ok()) return rewritten.status();
  run_.progress->EndPhase();
  result_.moved = rewritten->entries;
  result_.moved_bytes = rewritten->bytes;
  run_.progress->StartPhase("drop old values", 0);
  status = DropOldValues(run_);
  if (!status.ok()) return status;
  run_.progress->EndPhase();
  status = VerifyRecoded();
  if (status.ok()) status = CheckFoldersInPlace();
  if (status.ok()) status = markers_.SayFinished(result_.contents);
  return status.ok() ? FinishRecoding() : status;
}

absl::Status ReshardRun::SurveyValues(uint64_t* to_rewrite) {
  run_.progress->StartPhase("survey", SizeOfOutputs());
  const absl::StatusOr<RecodeTally> survey = SurveyForms(run_);
  if (!survey.ok()) return survey.status();
  run_.progress->EndPhase();
  result_.contents = survey->contents;
  *to_rewrite = survey->to_rewrite;
  run_.progress->Say(
      Progress::Level::kSummary,
      absl::StrCat(*to_rewrite, " of ", survey->contents.entries(),
                   " values are to be rewritten"));
  return absl::OkStatus();
}

absl::Status ReshardRun::VerifyRecoded() {
  run_.progress->StartPhase("verify", SizeOfOutputs());
  const absl::StatusOr<MultisetDigest> found = ReadRecoded(run_);
  if (!found.ok()) return found.status();
  run_.progress->EndPhase();
  if (*found == result_.contents) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat(
      "verification failed: there were ", result_.contents.entries(),
      " entries with digest ", result_.contents.ToHex(), ", there are ",
      found->entries(), " with digest ", found->ToHex()));
}

absl::Status ReshardRun::FinishRecoding() {
  absl::Status status = labels_.empty() ? CheckLabels() : absl::OkStatus();
  if (status.ok()) status = PutLabels();
  if (status.ok()) status = RemoveProgress(run_);
  if (status.ok()) status = set_->Close();
  if (!status.ok()) return status;
  run_.Passed("closed");
  status = CheckFoldersInPlace();
  if (!status.ok()) return status;
  for (const size_t output : plan_.outputs) {
    status = CheckOneLog(env_, run_.path(output));
    if (!status.ok()) return status;
  }
  WarnOfOtherFiles();
  return markers_.PutRecords(result_.contents);
}

absl::Status ReshardRun::FinishEarlierRecoding() {
  absl::Status status = OpenOutputs(/*existing_only=*/false);
  if (!status.ok()) return status;
  run_.progress->StartPhase("verify", SizeOfOutputs());
  const absl::StatusOr<MultisetDigest> found = ReadRecoded(run_);
  if (!found.ok()) return found.status();
  run_.progress->EndPhase();
  result_.contents = *found;
  return FinishRecoding();
}

absl::Status ReshardRun::LookAtRecoded() {
  absl::Status status = OpenOutputs(/*existing_only=*/false);
  if (!status.ok()) return status;
  run_.progress->StartPhase("verify", SizeOfOutputs());
  const absl::StatusOr<MultisetDigest> found =
      ReadRecoded(run_, /*doubt=*/true);
  if (!found.ok()) {
    return absl::Status(
        found.status().code(),
        absl::StrCat(found.status().message(),
                     " (this command finished before, "
                     "as ",
                     kRecordName,
                     " says, so all values should have "
                     "their new form; if the folders were replaced since, "
                     "remove that file from them)"));
  }
  run_.progress->EndPhase();
  result_.contents = *found;
  run_.progress->Say(Progress::Level::kSummary,
                     "this command finished before; nothing to rewrite");
  return set_->Close();
}

void ReshardRun::WarnOfOtherFiles() {
  if (options_.out_values.plain()) return;
  for (const size_t output : plan_.outputs) {
    std::vector<std::string> names;
    if (!env_->GetChildren(run_.path(output), &names).ok()) continue;
    for (const std::string& name : names) {
      if (BelongsToLevelDb(name)) continue;
      run_.progress->Say(
          Progress::Level::kSummary,
          absl::StrCat(run_.path(output), ": '", name,
                       "' does not belong to the database and stays as it is; "
                       "it may hold old values"));
    }
  }
}

}  // namespace shardingdb
