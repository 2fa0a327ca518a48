// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CRYPTO_KEYRING_COMMAND_H_
#define SHARDINGDB_CRYPTO_KEYRING_COMMAND_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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

  // For drop: the databases that are sealed under the ring, with commas
  // between, or that there are none.
  std::string databases;
  bool without_databases = false;
};

// Databases that nobody has open, nor can open, while this object lives.
class DatabasesAtRest {
 public:
  virtual ~DatabasesAtRest() = default;

  // FailedPrecondition, with the folder, if a value is sealed with the data key
  // `key_id`, or if there are values and none is sealed with one of the keys
  // `ring_ids`: that is no database of the ring, and where its databases are
  // has not been said. And errors of reading.
  [[nodiscard]] virtual absl::Status CheckKeyUnused(
      uint32_t key_id, const std::set<uint32_t>& ring_ids) = 0;
};

// What the program's text goes to, and where it runs.
struct KeyringEnvironment {
  std::function<void(absl::string_view)> out;  // stdout
  std::function<void(absl::string_view)> err;  // stderr

  // What relative paths are relative to; empty means the working folder.
  std::string working_folder;

  AskForPassphrase ask;

  // For drop. This package knows nothing of databases.
  std::function<absl::StatusOr<std::unique_ptr<DatabasesAtRest>>(
      const std::vector<std::string>& folders)>
      hold_databases;
};

// How to use the program; several lines.
absl::string_view KeyringUsageText();

// Does what the program does, but for parsing flags.
KeyringExitCode RunKeyring(const KeyringCommandLine& line,
                           const KeyringEnvironment& environment);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_KEYRING_COMMAND_H_
