// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/taken_shards.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shardingdb/opaque_keys_handle.h"
#include "shardingdb/set_labels.h"
#include "shardingdb/shard_router.h"
#include "shardingdb/status.h"

namespace shardingdb {

absl::StatusOr<OpenedSet> TakeShards(
    std::vector<std::unique_ptr<DbHandle>> handles, SetLayoutWanted wanted) {
  absl::Status status = ShardRouter::Check(handles, wanted.function);
  if (!status.ok()) return status;
  if (wanted.opaque_keys) {
    status = CheckOrderForOpaqueKeys(handles[0]->comparator());
    if (!status.ok()) return status;
  }
  wanted.comparator = handles[0]->comparator()->Name();
  std::vector<DbHandle*> shards;
  for (const std::unique_ptr<DbHandle>& handle : handles) {
    shards.push_back(handle.get());
    wanted.read_only = wanted.read_only || handle->GetStats().read_only;
  }
  const DbStats before = CountsOf(shards);
  std::vector<FoundShard> found(shards.size());
  for (size_t i = 0; i < shards.size(); ++i) {
    found[i].name = absl::StrCat("shard ", i);
    status =
        LookAtShard(shards[i], static_cast<uint32_t>(i),
                    static_cast<uint32_t>(shards.size()), wanted, &found[i]);
    if (!status.ok()) return Annotate(status, found[i].name);
  }
  const absl::StatusOr<SetLayout> layout = DecideLayout(found, wanted);
  if (!layout.ok()) return layout.status();
  OpenedSet set;
  shards.clear();
  for (const size_t place : layout->place_of_shard) {
    set.shards.push_back(std::move(handles[place]));
    shards.push_back(set.shards.back().get());
  }
  status = LabelSet(shards, *layout, wanted);
  if (!status.ok()) return status;
  set.counted = Difference(CountsOf(shards), before);
  return set;
}

}  // namespace shardingdb
