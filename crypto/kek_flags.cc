// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/kek_flags.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "crypto/passphrase_kek.h"
#include "crypto/raw_kek.h"

namespace shardingdb::crypto_internal {

int CountOf(const KekFlags& flags) {
  return static_cast<int>(!flags.file.empty()) +
         static_cast<int>(!flags.env.empty()) +
         static_cast<int>(!flags.passphrase_env.empty()) +
         static_cast<int>(flags.passphrase);
}

std::string PathIn(const std::string& working_folder, const std::string& path) {
  if (working_folder.empty() || absl::StartsWith(path, "/")) return path;
  return absl::StrCat(working_folder, "/", path);
}

absl::StatusOr<std::unique_ptr<KekProvider>> KekOf(
    const KekFlags& flags, const std::string& working_folder,
    const AskForPassphrase& ask, absl::string_view prompt) {
  if (!flags.file.empty()) {
    return RawKekFromFile(PathIn(working_folder, flags.file));
  }
  if (!flags.env.empty()) return RawKekFromEnvironment(flags.env);
  if (!flags.passphrase_env.empty()) {
    return PassphraseKekFromEnvironment(flags.passphrase_env);
  }
  absl::StatusOr<SecretBytes> passphrase = ask(prompt);
  if (!passphrase.ok()) return passphrase.status();
  if (passphrase->empty()) {
    return absl::FailedPreconditionError("the passphrase is empty");
  }
  return NewPassphraseKek(*std::move(passphrase));
}

}  // namespace shardingdb::crypto_internal
