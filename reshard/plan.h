// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_PLAN_H_
#define SHARDINGDB_RESHARD_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "leveldb/slice.h"
#include "reshard/folder.h"
#include "reshard/marker.h"
#include "reshard/multiset_digest.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

// What a run will do with each folder. Made by PlanReshard; a value.
struct ReshardPlan {
  struct Member {
    std::string path;
    bool is_input = false;
    std::optional<uint32_t> shard;  // its index, if it is an output
    bool is_missing = false;        // to be made
    bool is_database = false;       // there is a LevelDB already
    bool written = false;           // opened for writing, and marked
    bool marked = false;            // has this command's marker already
    bool marker_damaged = false;    // ... which must be written anew
    bool marker_has_contents = false;
    bool holds_result = false;  // of an earlier, finished run; no input
  };

  // Every folder once: the inputs in their order, then the outputs that are no
  // inputs.
  std::vector<Member> members;

  // The member that is output i, by i.
  std::vector<size_t> outputs;

  ReshardCommand command;
  ShardingFuncPtr function;

  // False for a migration, which leaves its inputs alone.
  bool in_place = false;

  // An earlier run of the same command has done everything but remove the
  // markers.
  bool finished = false;

  // A migration, or a change of values in place, that has finished before;
  // nothing but to look is left.
  bool repeats = false;

  // What the set held when the same command finished before.
  std::optional<MultisetDigest> earlier_contents;

  // What an earlier run of the same command found in all folders together.
  std::optional<MultisetDigest> contents;

  // The member whose marker is written last and removed last.
  size_t coordinator() const { return outputs.front(); }

  // True if an earlier run of the same command has begun.
  bool resumes() const;

  // True if the values of folders that stay as they are change their form.
  bool recodes() const { return in_place && command.values.change(); }

  // True if the markers prove that an earlier run of the same command, if there
  // was one, has copied nothing: in place they have no contents before, unless
  // the form of values changes, when they never have any.
  bool NothingCopied() const;

  // The member that owns `key`. FailedPrecondition if the sharding function
  // answers out of range.
  [[nodiscard]] absl::StatusOr<size_t> OwnerOf(const leveldb::Slice& key) const;
};

// Decides what a command means for the folders as they are, or why it is
// refused. Pure: looks at nothing but its arguments.
//
// `outputs` may be empty, which means the inputs again. `function` is not null.
// `values` says what becomes of the values.
//
// Errors: InvalidArgument for a command that makes sense for no folders;
// FailedPrecondition, with the folder's name, for one that these folders do not
// allow.
[[nodiscard]] absl::StatusOr<ReshardPlan> PlanReshard(
    const std::vector<Folder>& inputs, const std::vector<Folder>& outputs,
    const ShardingFuncPtr& function, const ValueForms& values = ValueForms());

// FailedPrecondition, with the folder's name, unless `folders` can be read as
// one set: each holds a LevelDB, none is listed twice or takes part in an
// unfinished run. InvalidArgument if there are none. Pure.
[[nodiscard]] absl::Status CheckToRead(const std::vector<Folder>& folders);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_PLAN_H_
