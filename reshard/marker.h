// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_MARKER_H_
#define SHARDINGDB_RESHARD_MARKER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/env.h"
#include "reshard/multiset_digest.h"

namespace shardingdb {

// How values are stored, before and after: "plain" (as they are), "compressed"
// (in unsealed envelopes), "key-ring ID" with the identity of the ring, the
// same with " opaque-keys" behind it, or "legacy-aes-cbc".
struct ValueForms {
  static constexpr char kPlain[] = "plain";

  std::string in = kPlain;
  std::string out = kPlain;

  // True if values are opened or sealed at all; otherwise they are moved as the
  // bytes that they are.
  bool change() const { return in != kPlain || out != kPlain; }

  // True if values keep their form; those of a ring may get another key of it.
  bool same() const { return in == out; }

  friend bool operator==(const ValueForms& a, const ValueForms& b) {
    return a.in == b.in && a.out == b.out;
  }
};

// What a run was asked to do, in a form in which two commands that mean the
// same are equal.
struct ReshardCommand {
  std::vector<std::string> inputs;   // real paths, sorted
  std::vector<std::string> outputs;  // real paths; the index is the shard's
  std::string function;
  ValueForms values = ValueForms();

  // As one would type it.
  std::string ToString() const;

  // True if no input is an output: the inputs stay as they are.
  bool IsMigration() const;

  friend bool operator==(const ReshardCommand& a, const ReshardCommand& b) {
    return a.inputs == b.inputs && a.outputs == b.outputs &&
           a.function == b.function && a.values == b.values;
  }
  friend bool operator!=(const ReshardCommand& a, const ReshardCommand& b) {
    return !(a == b);
  }
};

// The file RESHARD of a folder that takes part in an unfinished run. Its bytes
// are described in docs/formats/reshard-marker.md.
struct Marker {
  // Chosen at random at the start of a run; for people who read the file.
  std::string run;

  ReshardCommand command;

  // Only the marker of the first output ever says so, and only when all other
  // work of the run is done.
  bool finished = false;

  // What the folders of the command hold together. In place there are none
  // while folders are being marked, and always before the first copy; in a
  // migration only once finished. Never where values are opened or sealed: a
  // digest of plaintext confirms guesses.
  std::optional<MultisetDigest> contents;
};

// Its name in the folder.
inline constexpr char kMarkerName[] = "RESHARD";

// The name of the record of the last run that finished, which stays. It is a
// finished marker under another name, and nobody minds it.
inline constexpr char kRecordName[] = "RESHARD.done";

// A longer file is no marker: that much would hold the paths of as many folders
// as a set may have.
inline constexpr uint64_t kMaxMarkerBytes = uint64_t{64} << 20;

// True for the marker, the record and what an interrupted WriteMarker leaves.
bool IsMarkerFile(absl::string_view name);

// REQUIRES: no contents if command.values.change().
std::string EncodeMarker(const Marker& marker);

// DataLoss for bytes that are no marker or a damaged one; FailedPrecondition
// for one of a newer version.
[[nodiscard]] absl::StatusOr<Marker> ParseMarker(absl::string_view bytes);

// Replaces the marker of `folder` in one step. It is on stable storage when
// this returns OK; after an error the old marker, or none, may be there
// instead.
[[nodiscard]] absl::Status WriteMarker(leveldb::Env* env,
                                       const std::string& folder,
                                       const Marker& marker);

// The marker of `folder`, nothing where there is none. Errors as of ParseMarker
// and of reading the file, with the file's name; FailedPrecondition for
// something else than a regular file.
[[nodiscard]] absl::StatusOr<std::optional<Marker>> ReadMarker(
    leveldb::Env* env, const std::string& folder);

// Replaces the record of `folder`, as WriteMarker does the marker.
[[nodiscard]] absl::Status WriteRecord(leveldb::Env* env,
                                       const std::string& folder,
                                       const Marker& record);

// The record of `folder`; nothing where there is none, or none that this
// program understands.
std::optional<Marker> ReadRecord(leveldb::Env* env, const std::string& folder);

// Removes the marker of `folder`, durably; also, if it can be, what an
// interrupted WriteMarker left there. OK where there is none.
[[nodiscard]] absl::Status RemoveMarker(leveldb::Env* env,
                                        const std::string& folder);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_MARKER_H_
