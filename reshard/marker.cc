// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/marker.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "leveldb/slice.h"
#include "shardingdb/checked_lines.h"
#include "shardingdb/durable_folder.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

constexpr char kFormat[] = "shardingdb-reshard";
constexpr char kVersion[] = "1";
// Of commands that change how values are stored.
constexpr char kValuesVersion[] = "2";
constexpr char kTemporarySuffix[] = ".tmp";

std::string MarkerPath(const std::string& folder) {
  return absl::StrCat(folder, "/", kMarkerName);
}

std::string RecordPath(const std::string& folder) {
  return absl::StrCat(folder, "/", kRecordName);
}

std::string TemporaryPath(const std::string& folder) {
  return absl::StrCat(MarkerPath(folder), kTemporarySuffix);
}

// Takes one "name value" line of a marker into `marker`.
absl::Status TakeLine(absl::string_view name, absl::string_view value,
                      std::optional<uint64_t>* entries, std::string* digest,
                      Marker* marker) {
  if (name == "run") {
    marker->run = std::string(value);
  } else if (name == "state") {
    if (value != "unfinished" && value != "finished")
      return DamagedLines("state");
    marker->finished = value == "finished";
  } else if (name == "function") {
    marker->command.function = std::string(value);
  } else if (name == "in-values") {
    marker->command.values.in = std::string(value);
  } else if (name == "out-values") {
    marker->command.values.out = std::string(value);
  } else if (name == "input" || name == "output") {
    std::string path;
    if (!absl::CUnescape(value, &path)) return DamagedLines(name);
    (name == "input" ? marker->command.inputs : marker->command.outputs)
        .push_back(path);
  } else if (name == "entries") {
    uint64_t number;
    if (!absl::SimpleAtoi(value, &number)) return DamagedLines(name);
    *entries = number;
  } else if (name == "digest") {
    *digest = std::string(value);
  } else {
    return DamagedLines(absl::StrCat("unknown line '", name, "'"));
  }
  return absl::OkStatus();
}

// OK if `path` is a regular file, or nothing.
absl::Status CheckRegular(const std::string& path) {
  struct ::stat found;
  if (::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode))
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      path,
      ": is not a regular file, so it does not come from a reshard: see what "
      "it is and remove it"));
}

absl::Status WriteDurably(leveldb::Env* env, const std::string& path,
                          const std::string& bytes) {
  // What is there is no file of ours if it is no regular one; a pipe would keep
  // it waiting.
  absl::Status regular = CheckRegular(path);
  if (!regular.ok()) return regular;
  leveldb::WritableFile* raw = nullptr;
  leveldb::Status status = env->NewWritableFile(path, &raw);
  if (!status.ok()) return ToAbslStatus(status);
  const std::unique_ptr<leveldb::WritableFile> file(raw);
  status = file->Append(bytes);
  if (status.ok()) status = file->Sync();
  if (status.ok()) status = file->Close();
  return ToAbslStatus(status);
}

// The bytes of a regular file that may be a marker: no device without an end,
// and no pipe, which would be waited for.
absl::Status ReadWhole(leveldb::Env* env, const std::string& path,
                       std::string* bytes) {
  const absl::Status regular = CheckRegular(path);
  if (!regular.ok()) return regular;
  struct ::stat found;
  if (::stat(path.c_str(), &found) == 0 &&
      static_cast<uint64_t>(found.st_size) > kMaxMarkerBytes) {
    return Annotate(DamagedLines("too long"), path);
  }
  return AnnotatePath(ToAbslStatus(leveldb::ReadFileToString(env, path, bytes)),
                      path);
}

absl::Status Replace(leveldb::Env* env, const std::string& folder,
                     const std::string& path, const Marker& marker) {
  const std::string bytes = EncodeMarker(marker);
  if (bytes.size() > kMaxMarkerBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the names of all folders are too long"));
  }
  absl::Status status = WriteDurably(env, TemporaryPath(folder), bytes);
  if (status.ok()) {
    // Either file may be what is wrong.
    status = Annotate(
        ToAbslStatus(env->RenameFile(TemporaryPath(folder), path)), path);
  }
  if (status.ok()) status = SyncFolder(folder);
  return AnnotatePath(status, folder);
}

}  // namespace

std::string ReshardCommand::ToString() const {
  std::string text =
      absl::StrCat("-i ", absl::StrJoin(inputs, ","), " -o ",
                   absl::StrJoin(outputs, ","), " --sharding=", function);
  if (values.change()) {
    absl::StrAppend(&text, ", with values from ", values.in, " to ",
                    values.out);
  }
  return text;
}

bool ReshardCommand::IsMigration() const {
  return std::none_of(
      outputs.begin(), outputs.end(), [this](const std::string& output) {
        return std::binary_search(inputs.begin(), inputs.end(), output);
      });
}

bool IsMarkerFile(absl::string_view name) {
  return name == kMarkerName || name == kRecordName ||
         name == absl::StrCat(kMarkerName, kTemporarySuffix);
}

std::string EncodeMarker(const Marker& marker) {
  const ValueForms& values = marker.command.values;
  CheckedLinesWriter lines(kFormat,
                           values.change() ? kValuesVersion : kVersion);
  lines.Add("run", marker.run);
  lines.Add("state", marker.finished ? "finished" : "unfinished");
  lines.Add("function", marker.command.function);
  if (values.change()) {
    lines.Add("in-values", values.in);
    lines.Add("out-values", values.out);
  }
  for (const std::string& path : marker.command.inputs) {
    lines.Add("input", absl::CEscape(path));
  }
  for (const std::string& path : marker.command.outputs) {
    lines.Add("output", absl::CEscape(path));
  }
  if (marker.contents.has_value()) {
    lines.Add("entries", absl::StrCat(marker.contents->entries()));
    lines.Add("digest", marker.contents->ToHex());
  }
  return lines.Finish();
}

absl::StatusOr<Marker> ParseMarker(absl::string_view bytes) {
  const absl::StatusOr<CheckedLines> lines = ParseCheckedLines(
      bytes, kFormat, "a reshard marker", {kVersion, kValuesVersion});
  if (!lines.ok()) return lines.status();
  Marker marker;
  std::optional<uint64_t> entries;
  std::string digest;
  for (const auto& [name, value] : lines->lines) {
    const absl::Status status =
        TakeLine(name, value, &entries, &digest, &marker);
    if (!status.ok()) return status;
  }
  if (entries.has_value()) {
    absl::StatusOr<MultisetDigest> contents =
        MultisetDigest::Parse(*entries, digest);
    if (!contents.ok()) return DamagedLines("digest");
    marker.contents = *contents;
  }
  if (marker.command.values.change() != (lines->version == kValuesVersion) ||
      (marker.command.values.change() && marker.contents.has_value())) {
    return DamagedLines("values");
  }
  if (marker.command.inputs.empty() || marker.command.outputs.empty()) {
    return DamagedLines("no folders");
  }
  return marker;
}

absl::Status WriteMarker(leveldb::Env* env, const std::string& folder,
                         const Marker& marker) {
  return Replace(env, folder, MarkerPath(folder), marker);
}

absl::Status WriteRecord(leveldb::Env* env, const std::string& folder,
                         const Marker& record) {
  return Replace(env, folder, RecordPath(folder), record);
}

std::optional<Marker> ReadRecord(leveldb::Env* env, const std::string& folder) {
  std::string bytes;
  if (!ReadWhole(env, RecordPath(folder), &bytes).ok()) return std::nullopt;
  absl::StatusOr<Marker> record = ParseMarker(bytes);
  if (!record.ok() || !record->finished) return std::nullopt;
  return *std::move(record);
}

absl::StatusOr<std::optional<Marker>> ReadMarker(leveldb::Env* env,
                                                 const std::string& folder) {
  // Those that this run will write.
  absl::Status regular = CheckRegular(TemporaryPath(folder));
  if (regular.ok()) regular = CheckRegular(RecordPath(folder));
  if (!regular.ok()) return regular;
  const std::string path = MarkerPath(folder);
  if (!env->FileExists(path)) return std::optional<Marker>();
  std::string bytes;
  const absl::Status read = ReadWhole(env, path, &bytes);
  if (!read.ok()) return read;
  absl::StatusOr<Marker> marker = ParseMarker(bytes);
  if (!marker.ok()) return Annotate(marker.status(), path);
  return std::optional<Marker>(*std::move(marker));
}

absl::Status RemoveMarker(leveldb::Env* env, const std::string& folder) {
  // Nobody minds what cannot be removed of this one, which is no marker.
  env->RemoveFile(TemporaryPath(folder));
  const std::string path = MarkerPath(folder);
  if (env->FileExists(path)) {
    const leveldb::Status status = env->RemoveFile(path);
    if (!status.ok()) return AnnotatePath(ToAbslStatus(status), path);
  }
  return SyncFolder(folder);
}

}  // namespace shardingdb
