// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SET_LABELS_H_
#define SHARDINGDB_SET_LABELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "leveldb/db.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/set_layout.h"
#include "shardingdb/shard_label.h"

namespace shardingdb {

// Reads into `*found` what one shard has to say for DecideLayout: its label and
// whether it has entries. Where it has entries and is not a shard for certain,
// and `wanted` would have them adopted, also whether each is where the sharding
// function puts it as shard `place` of `count`, and whether its values open.
// Errors are those of reading.
[[nodiscard]] absl::Status LookAtShard(DbHandle* db, uint32_t place,
                                       uint32_t count,
                                       const SetLayoutWanted& wanted,
                                       FoundShard* found);

// The labels of a layout that says kNew, kFinish or kComplete, by shard: with a
// set id and a key check where they are new. Errors of randomness and sealing.
[[nodiscard]] absl::StatusOr<std::vector<ShardLabel>> MakeLabels(
    const SetLayout& layout, const SetLayoutWanted& wanted);

// A set id that nobody has.
[[nodiscard]] absl::StatusOr<std::string> NewSetId();

// The empty value, sealed by `aead`: see ShardLabel::key_check.
[[nodiscard]] absl::StatusOr<std::string> SealKeyCheck(const Aead& aead);

// Writes a label, and is done when it is on stable storage.
[[nodiscard]] absl::Status WriteLabel(leveldb::DB* db, const ShardLabel& label);

// Writes `labels[i]` into `shards[i]`, synced. If `first_time` and there are
// several, in two phases: all of them as not stable, and only when they are on
// stable storage all as stable. So whatever ends it in between leaves labels
// that DecideLayout knows as unfinished. The error of the lowest shard that
// failed, "shard 3: ...".
[[nodiscard]] absl::Status WriteLabels(const std::vector<DbHandle*>& shards,
                                       const std::vector<ShardLabel>& labels,
                                       bool first_time);

// Gives `shards` the labels that `layout` wants; does nothing where it wants
// none.
[[nodiscard]] absl::Status LabelSet(const std::vector<DbHandle*>& shards,
                                    const SetLayout& layout,
                                    const SetLayoutWanted& wanted);

// What the shards have counted of reading and writing so far; nothing else is
// set.
DbStats CountsOf(const std::vector<DbHandle*>& shards);

// What they have counted in between.
DbStats Difference(DbStats after, const DbStats& before);

}  // namespace shardingdb

#endif  // SHARDINGDB_SET_LABELS_H_
