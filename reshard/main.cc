// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/ask_passphrase.h"
#include "crypto/flag_arguments.h"
#include "flags/asks_for_help.h"
#include "flags/flag_error.h"
#include "flags/program.h"
#include "reshard/command_line.h"
#include "reshard/value_flags.h"

// No list of folders: a name in it is empty.
constexpr char kThoseOfI[] = ",those of -i,";
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// No name of a function: it has commas.
constexpr char kNotNamed[] = ",jump,";

ABSL_FLAG(std::string, i, "", "folders to read from, with commas between");
ABSL_FLAG(std::string, o, kThoseOfI, "folders that hold the set afterwards");
ABSL_FLAG(int, l, 1, "what to tell: 0 nothing, 1 summary, 2 detail");
ABSL_FLAG(std::string, sharding, kNotNamed, "where keys belong");
ABSL_FLAG(bool, give_up_missing_shards, false, "do without lost shards of -i");
ABSL_FLAG(bool, digest, false, "print the number of entries and their SHA-256");
ABSL_FLAG(double, throttle, kUnlimited, "megabytes to write a second at most");
ABSL_FLAG(std::string, in_key_ring, "", "key ring of the values of -i");
ABSL_FLAG(bool, in_compressed, false, "values of -i are compressed only");
ABSL_FLAG(bool, in_plain, false, "values of -i are plain, whatever they look");
ABSL_FLAG(std::string, in_legacy_aes_cbc_key_file, "",
          "key of the Go shardingdb's values of -i");
ABSL_FLAG(std::string, key_ring, "", "key ring of the values of -o");
ABSL_FLAG(std::string, value_compression, "", "of the values of -o");
ABSL_FLAG(bool, opaque_keys, false, "the keys of the set are opaque");
ABSL_FLAG(std::string, kek_file, "", "file with the key-encryption key");
ABSL_FLAG(std::string, kek_env, "", "environment variable with it, in hex");
ABSL_FLAG(std::string, passphrase_env, "", "the same with a passphrase");
ABSL_FLAG(bool, passphrase, false, "ask for a passphrase");
ABSL_FLAG(std::string, in_kek_file, "", "that of --in-key-ring: as --kek-file");
ABSL_FLAG(std::string, in_kek_env, "", "... as --kek-env");
ABSL_FLAG(std::string, in_passphrase_env, "", "... as --passphrase-env");

namespace {

using shardingdb::EndProgram;
using shardingdb::WriteTo;

// What takes no value, as the flag library spells it.
const char* const kSwitches[] = {"digest",
                                 "nodigest",
                                 "passphrase",
                                 "nopassphrase",
                                 "in_compressed",
                                 "noin_compressed",
                                 "in_plain",
                                 "noin_plain",
                                 "opaque_keys",
                                 "noopaque_keys",
                                 "give_up_missing_shards",
                                 "nogive_up_missing_shards"};

const char* const kFlags[] = {"i",
                              "o",
                              "l",
                              "sharding",
                              "give_up_missing_shards",
                              "digest",
                              "throttle",
                              "in_key_ring",
                              "in_compressed",
                              "in_plain",
                              "in_legacy_aes_cbc_key_file",
                              "key_ring",
                              "value_compression",
                              "opaque_keys",
                              "kek_file",
                              "kek_env",
                              "passphrase_env",
                              "passphrase",
                              "in_kek_file",
                              "in_kek_env",
                              "in_passphrase_env"};

shardingdb::ValueFlags GivenValueFlags() {
  shardingdb::ValueFlags values;
  values.in_key_ring = absl::GetFlag(FLAGS_in_key_ring);
  values.in_compressed = absl::GetFlag(FLAGS_in_compressed);
  values.in_plain = absl::GetFlag(FLAGS_in_plain);
  values.in_legacy_key_file = absl::GetFlag(FLAGS_in_legacy_aes_cbc_key_file);
  values.key_ring = absl::GetFlag(FLAGS_key_ring);
  const std::string compression = absl::GetFlag(FLAGS_value_compression);
  if (!compression.empty()) values.compression = compression;
  values.opaque_keys = absl::GetFlag(FLAGS_opaque_keys);
  values.kek.file = absl::GetFlag(FLAGS_kek_file);
  values.kek.env = absl::GetFlag(FLAGS_kek_env);
  values.kek.passphrase_env = absl::GetFlag(FLAGS_passphrase_env);
  values.kek.passphrase = absl::GetFlag(FLAGS_passphrase);
  values.in_kek.file = absl::GetFlag(FLAGS_in_kek_file);
  values.in_kek.env = absl::GetFlag(FLAGS_in_kek_env);
  values.in_kek.passphrase_env = absl::GetFlag(FLAGS_in_passphrase_env);
  return values;
}

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler sets it");

void StopOnSignals() {
  struct ::sigaction action = {};
  action.sa_handler = [](int) { stop.store(true); };
  // A second signal ends the process at once, which is as safe.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

int UsageError(absl::string_view what) {
  const std::string error = absl::StrCat("reshard: usage error: ", what, "\n");
  // Once more where it is seen on a terminal.
  WriteTo(stderr, absl::StrCat(error, shardingdb::UsageText(), "\n", error));
  return static_cast<int>(shardingdb::ExitCode::kUsage);
}

}  // namespace

int main(int argc, char** argv) {
  shardingdb::StartProgram("reshard",
                           static_cast<int>(shardingdb::ExitCode::kStorage));
  const std::vector<std::string> given(argv + 1, argv + argc);
  if (shardingdb::AsksForHelp(given)) {
    WriteTo(stdout, shardingdb::UsageText());
    return EndProgram(0);
  }
  absl::StatusOr<std::vector<std::string>> arguments =
      shardingdb::crypto_internal::FlagArguments(
          given, {std::begin(kSwitches), std::end(kSwitches)});
  if (!arguments.ok()) return UsageError(arguments.status().message());
  const std::string wrong =
      shardingdb::FlagError(*arguments, {std::begin(kFlags), std::end(kFlags)});
  if (!wrong.empty()) return UsageError(wrong);
  std::vector<char*> flags = {argv[0]};
  for (std::string& argument : *arguments) flags.push_back(&argument[0]);
  absl::SetProgramUsageMessage(shardingdb::UsageText());
  const std::vector<char*> rest =
      absl::ParseCommandLine(static_cast<int>(flags.size()), flags.data());
  if (rest.size() > 1) {
    return UsageError(absl::StrCat("what is '", rest[1], "'?"));
  }
  StopOnSignals();

  shardingdb::CommandLine line;
  line.inputs = absl::GetFlag(FLAGS_i);
  const std::string outputs = absl::GetFlag(FLAGS_o);
  if (outputs != kThoseOfI) line.outputs = outputs;
  line.level = absl::GetFlag(FLAGS_l);
  const std::string sharding = absl::GetFlag(FLAGS_sharding);
  if (sharding != kNotNamed) line.sharding = sharding;
  line.give_up_missing_shards = absl::GetFlag(FLAGS_give_up_missing_shards);
  line.digest = absl::GetFlag(FLAGS_digest);
  line.values = GivenValueFlags();
  if (absl::GetFlag(FLAGS_throttle) != kUnlimited) {
    line.throttle = absl::GetFlag(FLAGS_throttle);
  }

  shardingdb::CommandEnvironment environment;
  environment.out = [](absl::string_view text) { WriteTo(stdout, text); };
  environment.err = [](absl::string_view text) { WriteTo(stderr, text); };
  environment.ask = shardingdb::crypto_internal::AskPassphrase;
  environment.terminal = ::isatty(STDERR_FILENO) != 0;
  // Set by `bazel run`, which runs the program somewhere else.
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder != nullptr) environment.working_folder = folder;
  environment.stop = &stop;
  return EndProgram(
      static_cast<int>(shardingdb::RunCommandLine(line, environment)));
}
