// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A key-encryption key that people remember.

#ifndef SHARDINGDB_CRYPTO_PASSPHRASE_KEK_H_
#define SHARDINGDB_CRYPTO_PASSPHRASE_KEK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "crypto/kek.h"
#include "crypto/scrypt.h"
#include "crypto/secret_bytes.h"

namespace shardingdb {

// A KEK that scrypt derives from a passphrase, anew for each Wrap() (with a
// fresh salt) and each Unwrap() (with the salt and the parameters of the
// token). Its tokens begin with "scrypt". `parameters` are for Wrap() alone.
//
// Unwrap() refuses parameters that would take more than 512 MiB or sixteen
// times the default's work, as kDataLoss, before it spends anything.
//
// Errors:
//   kInvalidArgument  the passphrase is empty, or the parameters make no sense
//                     or ask for too much
[[nodiscard]] absl::StatusOr<std::unique_ptr<KekProvider>> NewPassphraseKek(
    SecretBytes passphrase, const ScryptParameters& parameters = {});

// The same with the passphrase in the environment variable `name`, which stays
// as it is; whoever may look at the process sees it.
//
// Errors, all with the name and none with the value:
//   kNotFound            there is no such variable
//   kFailedPrecondition  it is empty
[[nodiscard]] absl::StatusOr<std::unique_ptr<KekProvider>>
PassphraseKekFromEnvironment(const std::string& name,
                             const ScryptParameters& parameters = {});

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_PASSPHRASE_KEK_H_
