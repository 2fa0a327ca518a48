// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_COMMAND_LINE_H_
#define SHARDINGDB_RESHARD_COMMAND_LINE_H_

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "crypto/kek_flags.h"
#include "reshard/value_flags.h"

namespace shardingdb {

// What the program answers to whoever started it.
enum class ExitCode {
  kDone = 0,
  kUsage = 1,
  kStorage = 2,        // I/O error, full disk, corruption
  kRefused = 3,        // locked, wrong layout, unlike comparator, wrong key
  kVerification = 4,   // not what it should be; nothing more was deleted
  kInterrupted = 130,  // by a signal
};

ExitCode ExitCodeOf(const absl::Status& status);

// The flags, as they were given.
struct CommandLine {
  std::string inputs;                   // -i: folders with commas between
  std::optional<std::string> outputs;   // -o: the same
  int level = 1;                        // -l
  std::optional<std::string> sharding;  // jump
  bool give_up_missing_shards = false;
  bool digest = false;
  ValueFlags values;
  std::optional<double> throttle;  // --throttle: megabytes a second
};

// What the program's text goes to, and where it runs.
struct CommandEnvironment {
  std::function<void(absl::string_view)> out;  // stdout
  std::function<void(absl::string_view)> err;  // stderr
  bool terminal = false;                       // stderr is one

  // Asks for a passphrase; not needed where no flag asks to.
  crypto_internal::AskForPassphrase ask;

  // What relative paths are relative to; empty means the working folder.
  std::string working_folder;

  // Ends the run soon after it becomes true; may be null.
  const std::atomic<bool>* stop = nullptr;
};

// How to use the program; several lines.
absl::string_view UsageText();

// Does what the program does, but for parsing flags and handling signals.
ExitCode RunCommandLine(const CommandLine& line,
                        const CommandEnvironment& environment);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_COMMAND_LINE_H_
