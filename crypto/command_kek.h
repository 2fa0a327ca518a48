// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A key-encryption key that an external command keeps: an example of a
// KekProvider for a key management service, and a way to use one from a script.

#ifndef SHARDINGDB_CRYPTO_COMMAND_KEK_H_
#define SHARDINGDB_CRYPTO_COMMAND_KEK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "crypto/kek.h"

namespace shardingdb {

// A KEK behind a program, which is run without a shell as one of
//
//   COMMAND... wrap CONTEXT
//   COMMAND... unwrap CONTEXT
//
// To wrap, it gets a secret on its stdin and answers with the wrapped secret on
// its stdout; to unwrap, the other way round. Both are bytes as they are, at
// most 4096; CONTEXT is in hexadecimal digits. It exits with 0 when it has done
// it, 3 when it cannot unwrap because the key is a wrong one, and another code
// for everything else; what it has to say goes to stderr. Tokens begin with
// "command".
//
// The first word of `command` is an absolute path. Arguments can be seen by
// everybody on the machine: no secret belongs there. A command that has not
// ended after `timeout` is killed.
//
// Wrap() and Unwrap() return, beside the errors of KekProvider:
//   kUnavailable       the command cannot be started or did not exit with 0
//   kDeadlineExceeded  it took too long
//
// Errors:
//   kInvalidArgument  the command does not begin with an absolute path
[[nodiscard]] absl::StatusOr<std::unique_ptr<KekProvider>> NewCommandKek(
    std::vector<std::string> command,
    absl::Duration timeout = absl::Seconds(60));

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_COMMAND_KEK_H_
