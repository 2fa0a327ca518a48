// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/command_line.h"

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "reshard/folders_digest.h"
#include "reshard/offline_reshard.h"
#include "reshard/progress.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

constexpr absl::string_view kUsage =
    R"(Moves the entries of LevelDB folders into another number of folders.

  bazel run //reshard -- -i DIRS -o DIRS [-l 0|1|2] [--sharding=NAME]
  bazel run //reshard -- --digest -i DIRS

  -i DIRS          folders to read from, with commas between
  -o DIRS          folders that hold the set afterwards, in the order of their
                   shard numbers; without it, those of -i
  --sharding=NAME  where keys belong: jump (default), murmur, sha256,
                   prefix:delimiter=XX, prefix:length=N
  -l LEVEL         what to tell on stderr: 0 nothing, 1 summary, 2 detail
  --digest         only print the number of entries and their SHA-256

If no folder is in both lists, the inputs stay exactly as they are. Otherwise
entries are deleted from where they do not belong, once they are where they do
belong, safely and verified; inputs that are not outputs are emptied.

  -i /old -o /a,/b,/c       migrate        -i /a,/b,/c -o /a,/b,/c,/d  grow
  -i /a,/b,/c -o /a,/b      shrink         -i /a,/b                    reorganise

The databases must not be open. After a kill, an error or a full disk, the same
command finishes the work; until then the folders cannot be opened. After it has
finished, the same command again finds nothing to move.

The last line on stdout is
  reshard: entries=N moved=N bytes=N digest=HEX verified=yes seconds=S
where digest does not depend on the order of entries or the number of folders,
and moved and bytes are what this run has written, not one before it.

Exit codes: 0 done, 1 usage, 2 storage error or corruption, 3 refused (locked,
wrong layout, unlike comparator), 4 verification failed, 130 interrupted.
)";

// What may carry a set afterwards, as in the text above.
constexpr absl::string_view kFunctions =
    "jump, murmur, sha256, prefix:delimiter=XX, prefix:length=N";

absl::StatusOr<std::vector<std::string>> SplitFolders(
    const std::string& list, absl::string_view flag,
    const std::string& working_folder) {
  std::vector<std::string> folders;
  for (absl::string_view folder : absl::StrSplit(list, ',')) {
    if (folder.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, ": an empty name in '", list, "'"));
    }
    if (folder == "~" || absl::StartsWith(folder, "~/")) {
      return absl::InvalidArgumentError(absl::StrCat(
          flag, ": '", folder,
          "': a shell replaces ~ at the beginning of a word only: write the "
          "folder out, or ./~ for one of that name"));
    }
    const bool relative =
        !absl::StartsWith(folder, "/") && !working_folder.empty();
    folders.push_back(relative ? absl::StrCat(working_folder, "/", folder)
                               : std::string(folder));
  }
  return folders;
}

absl::Status CheckFlags(const CommandLine& line) {
  if (line.inputs.empty()) {
    return absl::InvalidArgumentError("-i: no folders to read from");
  }
  if (line.outputs.has_value() && line.outputs->empty()) {
    return absl::InvalidArgumentError(
        "-o: no folders to write to (leave -o out to reorganise those of -i)");
  }
  if (line.level < 0 || line.level > 2) {
    return absl::InvalidArgumentError("-l: must be 0, 1 or 2");
  }
  if (line.digest && line.outputs.has_value()) {
    return absl::InvalidArgumentError("--digest: takes no -o");
  }
  return absl::OkStatus();
}

absl::string_view Headline(ExitCode code) {
  switch (code) {
    case ExitCode::kDone:
      break;
    case ExitCode::kUsage:
      return "usage error: ";
    case ExitCode::kStorage:
      return "storage error: ";
    case ExitCode::kRefused:
      return "refused: ";
    case ExitCode::kVerification:
      return "verification failed: ";
    case ExitCode::kInterrupted:
      return "interrupted: ";
  }
  return "";
}

absl::Status Digest(const std::vector<std::string>& folders,
                    const CommandEnvironment& environment, Progress* progress) {
  const absl::StatusOr<FoldersDigest> digest =
      DigestOfFolders(folders, /*env=*/nullptr, progress, environment.stop);
  if (!digest.ok()) return digest.status();
  environment.out(absl::StrCat("entries=", digest->entries,
                               " sha256=", digest->sha256, "\n"));
  return absl::OkStatus();
}

absl::Status Move(const CommandLine& line, std::vector<std::string> inputs,
                  const CommandEnvironment& environment, Progress* progress) {
  absl::StatusOr<std::vector<std::string>> outputs = std::vector<std::string>();
  if (line.outputs.has_value()) {
    outputs = SplitFolders(*line.outputs, "-o", environment.working_folder);
  }
  if (!outputs.ok()) return outputs.status();
  absl::StatusOr<ShardingFuncPtr> function = ShardingFuncByName(line.sharding);
  if (absl::IsNotFound(function.status())) {
    // Its message lists functions that are for reading only, too.
    return absl::InvalidArgumentError(
        absl::StrCat("--sharding: no sharding function is called '",
                     line.sharding, "'; there are ", kFunctions));
  }
  if (!function.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--sharding: ", function.status().message()));
  }
  ReshardOptions options;
  options.inputs = std::move(inputs);
  options.outputs = *std::move(outputs);
  options.function = *std::move(function);
  options.progress = progress;
  options.stop = environment.stop;
  const absl::StatusOr<ReshardResult> result = Reshard(options);
  if (!result.ok()) return result.status();
  environment.out(absl::StrFormat(
      "reshard: entries=%d moved=%d bytes=%d digest=%s verified=yes "
      "seconds=%.2f\n",
      result->contents.entries(), result->moved, result->moved_bytes,
      result->contents.ToHex(), absl::ToDoubleSeconds(result->time)));
  return absl::OkStatus();
}

}  // namespace

absl::string_view UsageText() { return kUsage; }

ExitCode ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kDone;
    case absl::StatusCode::kInvalidArgument:
      return ExitCode::kUsage;
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kNotFound:
      return ExitCode::kRefused;
    case absl::StatusCode::kAborted:
      return ExitCode::kVerification;
    case absl::StatusCode::kCancelled:
      return ExitCode::kInterrupted;
    default:
      return ExitCode::kStorage;
  }
}

ExitCode RunCommandLine(const CommandLine& line,
                        const CommandEnvironment& environment) {
  Progress::Options options;
  options.level = static_cast<Progress::Level>(line.level);
  options.terminal = environment.terminal;
  options.write = environment.err;
  Progress progress(std::move(options));
  absl::Status status = CheckFlags(line);
  if (status.ok()) {
    absl::StatusOr<std::vector<std::string>> inputs =
        SplitFolders(line.inputs, "-i", environment.working_folder);
    status = inputs.status();
    if (status.ok()) {
      status = line.digest
                   ? Digest(*inputs, environment, &progress)
                   : Move(line, *std::move(inputs), environment, &progress);
    }
  }
  const ExitCode code = ExitCodeOf(status);
  if (status.ok()) return code;
  // Silence is for what goes well.
  progress.Say(Progress::Level::kSilent,
               absl::StrCat("reshard: ", Headline(code), status.message()));
  if (code == ExitCode::kUsage) environment.err(kUsage);
  if (code == ExitCode::kInterrupted && !line.digest) {
    progress.Say(Progress::Level::kSilent,
                 "reshard: run the same command again to go on");
  }
  return code;
}

}  // namespace shardingdb
