// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_RECODER_H_
#define SHARDINGDB_RESHARD_RECODER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reshard/multiset_digest.h"
#include "reshard/run_context.h"

namespace shardingdb {

// Changes how the values of folders that stay as they are are stored, each
// folder on its own and several at a time. docs/resharding.md has the order and
// why nothing gets lost.
//
// All of it works on databases that are open with their values as they are
// stored. Errors have the folder; a value that does not open is DataLoss with
// its key and the reason, one whose key is disabled FailedPrecondition.

struct RecodeTally {
  MultisetDigest contents;  // of all folders, of opened values
  uint64_t to_rewrite = 0;
};

// Opens every value and writes nothing. An entry in a folder that does not own
// it is InvalidArgument; records of another change are FailedPrecondition.
[[nodiscard]] absl::StatusOr<RecodeTally> SurveyForms(const RunContext& run);

struct Rewritten {
  uint64_t entries = 0;
  uint64_t bytes = 0;  // of keys and opened values
};

// Rewrites every value that is not in its new form, durably. Goes on where an
// earlier run ended.
[[nodiscard]] absl::StatusOr<Rewritten> RewriteValues(const RunContext& run);

// Leaves no old value in any file of any database.
[[nodiscard]] absl::Status DropOldValues(const RunContext& run);

// Opens every value in its new form. With `doubt`, one that should be plain and
// is still in its old form is DataLoss too.
[[nodiscard]] absl::StatusOr<MultisetDigest> ReadRecoded(const RunContext& run,
                                                         bool doubt = false);

// Removes what RewriteValues has kept of its progress, durably. REQUIRES: the
// coordinator's marker says that the run has finished.
[[nodiscard]] absl::Status RemoveProgress(const RunContext& run);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_RECODER_H_
