// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SET_LAYOUT_H_
#define SHARDINGDB_SET_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/aead.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

// What was found in one of the places that somebody wants to open as a set.
struct FoundShard {
  enum class Contents {
    kNoDatabase,
    kUnwritten,  // nothing was ever put into it, or deleted from it
    kEmpty,      // it holds no entries now
    kEntries,    // besides reserved ones; or nobody has looked, as its label
                 // is stable
  };

  std::string name;  // of the place, for messages: its folder
  std::optional<ShardLabel> label;
  absl::Status label_error;  // there is one, and it cannot be read
  Contents contents = Contents::kNoDatabase;

  // Why its entries cannot be taken as those of a shard, if somebody has looked
  // (see SetLayoutWanted::adoption).
  absl::Status not_adoptable;
};

// What the set is to be.
struct SetLayoutWanted {
  ShardingFuncPtr function;  // not null
  std::string comparator;
  ValuesForm values = ValuesForm::kPlain;
  bool opaque_keys = false;
  std::shared_ptr<const Aead> aead;  // what opens values; null for plain ones

  // Nothing is to be written: what has no labels is taken as it is given.
  bool read_only = false;

  // Databases with entries and without labels become shards of a new set.
  bool adoption = false;
};

// How the places become a set.
struct SetLayout {
  enum class Labels {
    kStay,      // all are there, or none is to be
    kNew,       // a new set
    kFinish,    // those of a set whose first labels were not all written
    kComplete,  // how values are stored is not in them yet
  };

  Labels labels = Labels::kStay;

  // Entries that were there before the labels are taken into the set.
  bool adopts = false;

  // The place that is shard i, by i.
  std::vector<size_t> place_of_shard;

  // Where there are labels: what they agree on.
  std::string set_id;
  uint64_t epoch = 1;
};

// Decides how `found`, in the order in which the places were given, become the
// set that is wanted, or why not. Pure: looks at nothing but its arguments.
//
// Errors name the first place that disagrees, what was found there and what was
// expected. FailedPrecondition: the places are not the whole set and nothing
// else, or not of this layout; their values open with another key; a newer
// format. DataLoss: a label is damaged.
[[nodiscard]] absl::StatusOr<SetLayout> DecideLayout(
    const std::vector<FoundShard>& found, const SetLayoutWanted& wanted);

// The same of labels alone: OK if every one of `found` has one, and they are
// all shards of one set, in whatever order, whose labels are all written; or if
// none has one. Databases with neither a label nor entries do not count. With
// `allow_missing` not all shards need be there. Errors as above.
[[nodiscard]] absl::Status CheckOneSet(const std::vector<FoundShard>& all,
                                       bool allow_missing);

}  // namespace shardingdb

#endif  // SHARDINGDB_SET_LAYOUT_H_
