// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/command_line.h"

#include <algorithm>
#include <cstdint>
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

  bazel run //reshard -- -i DIRS -o DIRS [-l 0|1|2] [--sharding=NAME] [VALUES]
  bazel run //reshard -- --digest -i DIRS [VALUES]

  -i DIRS          folders to read from, with commas between
  -o DIRS          folders that hold the set afterwards, in the order of their
                   shard numbers; without it, those of -i
  --sharding=NAME  where keys belong: jump (default), murmur, sha256,
                   prefix:delimiter=XX, prefix:length=N
  --give-up-missing-shards
                   go on without shards of the set of -i that are lost
  -l LEVEL         what to tell on stderr: 0 nothing, 1 summary, 2 detail
  --digest         only print the number of entries and their SHA-256
  --throttle=MB/S  write so many megabytes a second at most

If no folder is in both lists, the inputs stay exactly as they are. Otherwise
entries are deleted from where they do not belong, once they are where they do
belong, safely and verified; inputs that are not outputs are emptied.

  -i /old -o /a,/b,/c       migrate        -i /a,/b,/c -o /a,/b,/c,/d  grow
  -i /a,/b,/c -o /a,/b      shrink         -i /a,/b                    reorganise

VALUES say how values are stored. Without them they are moved as the bytes that
they are, sealed or not, and no key is needed.
  --in-key-ring=PATH    those of -i are sealed under this key ring
  --in-compressed       those of -i are compressed and not sealed
  --in-plain            those of -i are plain, also if they look sealed
  --in-legacy-aes-cbc-key-file=PATH
                        those of -i are encrypted as by the Go shardingdb
  --key-ring=PATH       those of -o are sealed under this key ring; without it
                        they are not sealed. With --digest: those of -i
  --value-compression=NAME
                        those of -o are compressed by snappy, zstd or none; if
                        they are sealed it is by snappy otherwise
  --opaque-keys         the keys of the set are opaque. To seal its values anew,
                        or for --digest, which is then over keys as stored
  --kek-file=FILE, --kek-env=NAME, --passphrase-env=NAME, --passphrase
                        the key of the rings, as for //crypto:keyring
  --in-kek-file=FILE, --in-kek-env=NAME, --in-passphrase-env=NAME
                        that of --in-key-ring, if it is another one

If the folders of -o are those of -i (or there is no -o), the values are
rewritten in place and no old value is left in their files. In place the folders
and the values cannot change at once; into new folders they can.

  -i /a,/b --key-ring=R --kek-file=K                     seal
  -i /a,/b --in-key-ring=R --key-ring=R --kek-file=K     seal anew, after rotate
  -i /a,/b --in-key-ring=R --kek-file=K                  store in clear
  -i /a,/b --value-compression=zstd                      compress only

The databases must not be open. After a kill, an error or a full disk, the same
command finishes the work; until then the folders cannot be opened. After it has
finished, the same command again finds nothing to move.

The last line on stdout is
  reshard: entries=N moved=N bytes=N digest=HEX verified=yes seconds=S
where digest does not depend on the order of entries or the number of folders,
and moved and bytes are what this run has written, not one before it.

Exit codes: 0 done, 1 usage, 2 storage error or corruption, 3 refused (locked,
wrong layout, unlike comparator, wrong key), 4 verification failed, 130 interrupted.
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
  if (line.throttle.has_value() &&
      (line.digest || !(*line.throttle > 0) || *line.throttle > 1e9)) {
    return absl::InvalidArgumentError(
        line.digest ? "--throttle: --digest writes nothing"
                    : "--throttle: must be megabytes a second, more than 0");
  }
  return CheckValueFlags(line.values, line.digest);
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

absl::Status Digest(const CommandLine& line,
                    const std::vector<std::string>& folders,
                    const CommandEnvironment& environment, Progress* progress) {
  const absl::StatusOr<ValueCodecs> codecs =
      OpenValueCodecs(line.values, /*digest=*/true, environment.working_folder,
                      environment.ask);
  if (!codecs.ok()) return codecs.status();
  const absl::StatusOr<FoldersDigest> digest = DigestOfFolders(
      folders, /*env=*/nullptr, progress, environment.stop, codecs->in);
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
  absl::StatusOr<ShardingFuncPtr> function =
      ShardingFuncByName(line.sharding.value_or("jump"));
  if (absl::IsNotFound(function.status())) {
    // Its message lists functions that are for reading only, too.
    return absl::InvalidArgumentError(
        absl::StrCat("--sharding: no sharding function is called '",
                     *line.sharding, "'; there are ", kFunctions));
  }
  if (!function.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--sharding: ", function.status().message()));
  }
  absl::StatusOr<ValueCodecs> codecs =
      OpenValueCodecs(line.values, /*digest=*/false, environment.working_folder,
                      environment.ask);
  if (!codecs.ok()) return codecs.status();
  ReshardOptions options;
  options.in_values = std::move(codecs->in);
  options.out_values = std::move(codecs->out);
  if (line.throttle.has_value()) {
    options.throttle_bytes_per_second =
        std::max<uint64_t>(1, static_cast<uint64_t>(*line.throttle * 1e6));
  }
  options.inputs = std::move(inputs);
  options.outputs = *std::move(outputs);
  if (line.sharding.has_value()) options.function = *std::move(function);
  options.give_up_missing_shards = line.give_up_missing_shards;
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
    case absl::StatusCode::kUnimplemented:  // a key that is disabled
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
                   ? Digest(line, *inputs, environment, &progress)
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
