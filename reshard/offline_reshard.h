// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_OFFLINE_RESHARD_H_
#define SHARDINGDB_RESHARD_OFFLINE_RESHARD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "leveldb/env.h"
#include "reshard/multiset_digest.h"
#include "reshard/progress.h"
#include "reshard/value_codec.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

struct ReshardOptions {
  // Folders to read from. None may be open anywhere.
  std::vector<std::string> inputs;

  // Folders that hold the set afterwards; the index is the shard. Empty means
  // the inputs.
  std::vector<std::string> outputs;

  // Where keys belong afterwards; null means JumpSharding(), and that inputs
  // with labels by another function are refused.
  ShardingFuncPtr function;

  // The inputs have labels and are not the whole set: what the missing shards
  // hold is given up. Refused otherwise.
  bool give_up_missing_shards = false;

  // How values are stored in the inputs, and how they are to be in the outputs.
  // By default they are moved as the bytes that they are, sealed or not. If any
  // input is an output, a change is for folders that all are both, and that
  // hold what `function` gives them already. The rings are not to change
  // meanwhile. Keys are moved as they are: those of both are opaque or neither.
  ValueCodec in_values;
  ValueCodec out_values;

  // How much to write in a second at most; 0 means no limit. What LevelDB
  // writes in the background is not counted.
  uint64_t throttle_bytes_per_second = 0;

  // The largest batch that is copied or deleted at a time, in bytes of keys and
  // values; larger entries are batches of their own. With many outputs batches
  // are smaller, so that they take 32 MiB together.
  size_t batch_bytes = size_t{1} << 20;

  // What files are reached through; null means leveldb::Env::Default().
  leveldb::Env* env = nullptr;

  // What to tell; may be null.
  Progress* progress = nullptr;

  // Ends the run soon after it becomes true; may be null.
  const std::atomic<bool>* stop = nullptr;

  // Told each point that the run has passed, from any thread; may be empty. For
  // tests, which end the process there.
  std::function<void(absl::string_view step)> on_step;
};

struct ReshardResult {
  // What the outputs hold, and their digest, verified.
  MultisetDigest contents;

  // Entries that this run has written into a folder that did not hold them, or
  // whose value it has given another form, and the bytes of their keys and
  // values. Less than the whole when an earlier run
  // was interrupted.
  uint64_t moved = 0;
  uint64_t moved_bytes = 0;

  absl::Duration time;
};

// Brings the entries of the inputs into the outputs, each into the one that the
// function says. Inputs that are not outputs are left exactly as they are, or
// emptied if any other input is an output. docs/resharding.md says in which
// order it does what.
//
// Where values change their form, no digest of them is kept on disk, and when
// folders stay, no old value is left in any file of a database.
//
// Nothing is lost whenever and however it ends. After an error, a kill or a
// stop the same call finishes the work; until it has, OpenLevelDb refuses the
// folders. An error that comes before the first entry is copied leaves them as
// they were, and not refused.
//
// Errors, with the folder:
//   InvalidArgument     folders that make no sense; nothing was touched
//   FailedPrecondition  refused: a folder is locked, holds something else,
//                       takes part in another unfinished run, has another
//                       comparator; the inputs are not one whole set, as
//                       their labels tell; the function is not for new sets or
//                       answers out of range; values are not in the form that
//                       they are said to have, or a key that they need is
//                       disabled
//   Aborted             a key has two values, or verification failed; nothing
//                       was deleted that is not verified to be in its place
//   DataLoss            the folder is damaged; says in which file. Or a value
//                       does not open; says of which key
//   Cancelled           stopped
//   ResourceExhausted   full disk, too many open files, or no memory left; but
//                       a thread of LevelDB's that gets none ends the process
//   PermissionDenied, Unavailable   other I/O errors
[[nodiscard]] absl::StatusOr<ReshardResult> Reshard(
    const ReshardOptions& options);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_OFFLINE_RESHARD_H_
