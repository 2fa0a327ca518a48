// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/labels_of_set.h"

#include <cstdint>

#include "shardingdb/set_labels.h"
#include "shardingdb/status.h"

namespace shardingdb {

absl::StatusOr<std::vector<FoundShard>> ReadLabels(
    const OpenSet& set, const std::vector<size_t>& numbers) {
  // Nothing is to be adopted.
  SetLayoutWanted look;
  look.read_only = true;
  std::vector<FoundShard> found(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    found[i].name = set.folder(numbers[i]);
    const absl::Status status =
        LookAtShard(set.stored(numbers[i]), static_cast<uint32_t>(i),
                    static_cast<uint32_t>(numbers.size()), look, &found[i]);
    if (!status.ok()) return Annotate(status, found[i].name);
  }
  return found;
}

absl::Status CheckWholeSet(const OpenSet& set) {
  const absl::StatusOr<std::vector<FoundShard>> found =
      ReadLabels(set, set.numbers());
  if (!found.ok()) return found.status();
  return CheckOneSet(*found, /*allow_missing=*/false);
}

}  // namespace shardingdb
