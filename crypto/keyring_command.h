// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CRYPTO_KEYRING_COMMAND_H_
#define SHARDINGDB_CRYPTO_KEYRING_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "crypto/kek_flags.h"

namespace shardingdb::crypto_internal {

// What the program answers to whoever started it.
enum class KeyringExitCode {
  kDone = 0,
  kUsage = 1,
  kStorage = 2,  // I/O error, full disk, corruption
  kRefused = 3,  // wrong key, permissions, busy, not there, there already
};

KeyringExitCode KeyringExitCodeOf(const absl::Status& status);

// The arguments, as they were given.
struct KeyringCommandLine {
  std::vector<std::string> words;  // the command, and what belongs to it
  std::string ring;
  KekFlags kek;
  KekFlags new_kek;  // for rewrap
};

// What the program's text goes to, and where it runs.
struct KeyringEnvironment {
  std::function<void(absl::string_view)> out;  // stdout
  std::function<void(absl::string_view)> err;  // stderr

  // What relative paths are relative to; empty means the working folder.
  std::string working_folder;

  AskForPassphrase ask;
};

// How to use the program; several lines.
absl::string_view KeyringUsageText();

// Does what the program does, but for parsing flags.
KeyringExitCode RunKeyring(const KeyringCommandLine& line,
                           const KeyringEnvironment& environment);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_KEYRING_COMMAND_H_
