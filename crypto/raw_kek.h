// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A key-encryption key of 32 bytes, and where it comes from.

#ifndef SHARDINGDB_CRYPTO_RAW_KEK_H_
#define SHARDINGDB_CRYPTO_RAW_KEK_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/kek.h"
#include "crypto/secret_bytes.h"

namespace shardingdb {

// A KEK of 32 uniformly random bytes (no passphrase). It wraps with
// XAES-256-GCM; its tokens begin with "raw".
//
// Errors:
//   kInvalidArgument  not 32 bytes
[[nodiscard]] absl::StatusOr<std::unique_ptr<KekProvider>> NewRawKek(
    SecretBytes key);

// A raw KEK from a file that holds its 32 bytes and nothing else.
//
// Errors, all with the path:
//   kNotFound            there is no such file
//   kFailedPrecondition  not a regular file, not 32 bytes, or group or others
//                        may use it; the message has the chmod to run
//   kPermissionDenied    it may not be read
//   kUnavailable         reading failed
[[nodiscard]] absl::StatusOr<std::unique_ptr<KekProvider>> RawKekFromFile(
    const std::string& path);

// A raw KEK from the environment variable `name`: 64 hexadecimal digits. The
// variable stays as it is; whoever may look at the process sees it.
//
// Errors, all with the name and none with the value:
//   kNotFound            there is no such variable
//   kFailedPrecondition  it is not 64 hexadecimal digits
[[nodiscard]] absl::StatusOr<std::unique_ptr<KekProvider>>
RawKekFromEnvironment(const std::string& name);

// Makes the file `path`, mode 0600, with a fresh random KEK in it, and has it
// on stable storage before it returns. Any number of processes may try at once;
// one succeeds.
//
// Errors:
//   kAlreadyExists  there is something at `path`, which stays as it is
//   kUnavailable    the system gave no randomness
//   others          it cannot be written, see PosixError(), and is not there
//                   unless the message says so
[[nodiscard]] absl::Status CreateRawKekFile(const std::string& path);

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_RAW_KEK_H_
