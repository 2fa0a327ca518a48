// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_VERIFIER_H_
#define SHARDINGDB_RESHARD_VERIFIER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reshard/multiset_digest.h"
#include "reshard/run_context.h"

namespace shardingdb {

// Reads all outputs and returns what they hold of their own, together: entries
// whose owner is the folder that holds them.
//
// An entry whose owner is another folder is Aborted, with folder and key,
// unless `allow_strays` and the output is an input too: there they wait to be
// deleted. Other errors: those of reading, with the folder and, for damage, the
// file; Cancelled.
[[nodiscard]] absl::StatusOr<MultisetDigest> ReadOutputs(const RunContext& run,
                                                         bool allow_strays);

// OK if the outputs hold exactly `expected`; Aborted, with both numbers, if
// not. Other errors as above.
[[nodiscard]] absl::Status VerifyOutputs(const RunContext& run,
                                         bool allow_strays,
                                         const MultisetDigest& expected);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_VERIFIER_H_
