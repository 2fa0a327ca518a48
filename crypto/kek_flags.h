// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The flags of a program that say where a key-encryption key comes from.

#ifndef SHARDINGDB_CRYPTO_KEK_FLAGS_H_
#define SHARDINGDB_CRYPTO_KEK_FLAGS_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/kek.h"
#include "crypto/secret_bytes.h"

namespace shardingdb::crypto_internal {

// At most one of these is to be given.
struct KekFlags {
  std::string file;
  std::string env;
  std::string passphrase_env;
  bool passphrase = false;  // ask
};

// How many are given.
int CountOf(const KekFlags& flags);

// Asks for a passphrase.
using AskForPassphrase =
    std::function<absl::StatusOr<SecretBytes>(absl::string_view prompt)>;

// `path`, below `working_folder` if it is relative and that is not empty.
std::string PathIn(const std::string& working_folder, const std::string& path);

// The KEK that `flags` name, which is there already. Asks with `prompt` if it
// has to.
//
// Errors: those of RawKekFromFile(), RawKekFromEnvironment(),
// PassphraseKekFromEnvironment() and `ask`; kFailedPrecondition for an empty
// answer.
//
// REQUIRES: CountOf(flags) == 1.
[[nodiscard]] absl::StatusOr<std::unique_ptr<KekProvider>> KekOf(
    const KekFlags& flags, const std::string& working_folder,
    const AskForPassphrase& ask, absl::string_view prompt);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_KEK_FLAGS_H_
