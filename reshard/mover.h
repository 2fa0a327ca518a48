// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_MOVER_H_
#define SHARDINGDB_RESHARD_MOVER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reshard/multiset_digest.h"
#include "reshard/run_context.h"

namespace shardingdb {

// What is in the folders of a command, and where.
struct Tally {
  // All distinct entries.
  MultisetDigest contents;

  // Entries that their owner did not hold, and the bytes of their keys and
  // values.
  uint64_t missing = 0;
  uint64_t missing_bytes = 0;

  // Entries that more than one input held.
  uint64_t repeated = 0;

  // By member: entries whose owner is another; none in members that are only
  // read.
  std::vector<uint64_t> strays;
};

// Reads everything in the open folders and writes nothing.
//
// Errors: those of ScanUnion, and FailedPrecondition for a sharding function
// that answers out of range.
[[nodiscard]] absl::StatusOr<Tally> Survey(const RunContext& run);

// Reads everything in the open folders, and writes into each output what it
// owns and does not hold. Changes and removes nothing. What was written is not
// durable yet.
//
// Errors: those of Survey and of writing, with the folder; Aborted if the plan
// is a migration and an output holds what no input does.
[[nodiscard]] absl::StatusOr<Tally> CopyToOwners(const RunContext& run);

// Makes all that the outputs hold durable.
[[nodiscard]] absl::Status SyncOutputs(const RunContext& run);

// Deletes the entries whose owner is another member, gives their space back,
// and makes that durable. `strays` says where there are any; where a run
// resumes, folders that it empties are compacted in any case.
//
// REQUIRES: their owners hold them durably.
[[nodiscard]] absl::Status DeleteStrays(const RunContext& run,
                                        const std::vector<uint64_t>& strays);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_MOVER_H_
