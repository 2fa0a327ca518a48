// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Another program, asked something secret.

#ifndef SHARDINGDB_CRYPTO_RUN_COMMAND_H_
#define SHARDINGDB_CRYPTO_RUN_COMMAND_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {

struct CommandResult {
  int exit_code = 0;
  SecretBytes output;
};

// Runs the program at the absolute path arguments[0] with the others, without a
// shell; gives it `input` and the end on its standard input, reads what it
// writes to its standard output, and waits for its end. Its standard error is
// ours.
//
// REQUIRES: `input` is at most 4096 bytes: it has to fit into a pipe
//
// Errors, all with the path; the program has ended after each:
//   kInvalidArgument    no arguments, or the path is not absolute
//   kUnavailable        it cannot be started, was ended by a signal, or wrote
//                       more than `max_output` bytes
//   kDeadlineExceeded   it took longer than `timeout`, and was killed
[[nodiscard]] absl::StatusOr<CommandResult> RunCommand(
    const std::vector<std::string>& arguments, absl::string_view input,
    size_t max_output, absl::Duration timeout);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_RUN_COMMAND_H_
