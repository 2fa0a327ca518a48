// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Values as the Go shardingdb encrypted them, for reading only.

#ifndef SHARDINGDB_CRYPTO_LEGACY_AES_CBC_H_
#define SHARDINGDB_CRYPTO_LEGACY_AES_CBC_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "crypto/aead.h"
#include "crypto/secret_bytes.h"

namespace shardingdb {

// An Aead whose Open() reads docs/formats/legacy-aes-cbc.md and whose Seal() is
// kInvalidArgument: nothing new should be stored like that.
//
// It is none in truth: nothing authenticates these values. The wrong key, a
// changed value or one of another origin is noticed by its form alone, so for
// the wrong key about one value in 256 opens all the same, as nonsense. The
// associated data is not looked at.
//
// Open() says of kDataLoss: "too short", "no whole number of blocks", "its
// initialization vector is not zero" or "its padding is wrong".
//
// Errors:
//   kInvalidArgument  the key is not 16, 24 or 32 bytes long
[[nodiscard]] absl::StatusOr<std::shared_ptr<const Aead>> NewLegacyAesCbc(
    SecretBytes key);

// The same with the key from a file that holds its bytes and nothing else.
//
// Errors, all with the path:
//   kNotFound            there is no such file
//   kFailedPrecondition  not a regular file, not 16, 24 or 32 bytes, or group
//                        or others may use it; the message has the chmod to run
//   kPermissionDenied    it may not be read
//   kUnavailable         reading failed
[[nodiscard]] absl::StatusOr<std::shared_ptr<const Aead>> LegacyAesCbcFromFile(
    const std::string& path);

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_LEGACY_AES_CBC_H_
