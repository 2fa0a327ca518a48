// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdio>
#include <cstdlib>
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
#include "crypto/keyring_command.h"
#include "flags/asks_for_help.h"
#include "flags/flag_error.h"
#include "flags/program.h"
#include "reshard/databases_at_rest.h"

ABSL_FLAG(std::string, ring, "", "the file of the key ring");
ABSL_FLAG(std::string, kek_file, "", "file with the key-encryption key");
ABSL_FLAG(std::string, kek_env, "", "environment variable with it, in hex");
ABSL_FLAG(std::string, passphrase_env, "", "the same with a passphrase");
ABSL_FLAG(bool, passphrase, false, "ask for a passphrase");
ABSL_FLAG(std::string, new_kek_file, "", "rewrap: as --kek-file");
ABSL_FLAG(std::string, new_kek_env, "", "rewrap: as --kek-env");
ABSL_FLAG(std::string, new_passphrase_env, "", "rewrap: as --passphrase-env");
ABSL_FLAG(bool, new_passphrase, false, "rewrap: as --passphrase");
ABSL_FLAG(std::string, databases, "", "drop: folders, with commas between");
ABSL_FLAG(bool, without_databases, false, "drop: there are none");

namespace {

using shardingdb::EndProgram;
using shardingdb::WriteTo;
using shardingdb::crypto_internal::KeyringExitCode;
using shardingdb::crypto_internal::KeyringUsageText;

int UsageError(absl::string_view what) {
  WriteTo(stderr, absl::StrCat("keyring: usage error: ", what, "\n",
                               KeyringUsageText()));
  return static_cast<int>(KeyringExitCode::kUsage);
}

}  // namespace

int main(int argc, char** argv) {
  shardingdb::StartProgram("keyring",
                           static_cast<int>(KeyringExitCode::kStorage));
  const std::vector<std::string> given(argv + 1, argv + argc);
  if (shardingdb::AsksForHelp(given)) {
    WriteTo(stdout, KeyringUsageText());
    return EndProgram(0);
  }
  absl::StatusOr<std::vector<std::string>> arguments =
      shardingdb::crypto_internal::FlagArguments(
          given, {"passphrase", "new_passphrase", "without_databases"});
  if (!arguments.ok()) return UsageError(arguments.status().message());
  const std::string wrong = shardingdb::FlagError(
      *arguments,
      {"ring", "kek_file", "kek_env", "passphrase_env", "passphrase",
       "new_kek_file", "new_kek_env", "new_passphrase_env", "new_passphrase",
       "databases", "without_databases"});
  if (!wrong.empty()) return UsageError(wrong);
  std::vector<char*> flags = {argv[0]};
  for (std::string& argument : *arguments) flags.push_back(&argument[0]);
  absl::SetProgramUsageMessage(KeyringUsageText());
  const std::vector<char*> rest =
      absl::ParseCommandLine(static_cast<int>(flags.size()), flags.data());

  shardingdb::crypto_internal::KeyringCommandLine line;
  line.words.assign(rest.begin() + 1, rest.end());
  line.ring = absl::GetFlag(FLAGS_ring);
  line.kek.file = absl::GetFlag(FLAGS_kek_file);
  line.kek.env = absl::GetFlag(FLAGS_kek_env);
  line.kek.passphrase_env = absl::GetFlag(FLAGS_passphrase_env);
  line.kek.passphrase = absl::GetFlag(FLAGS_passphrase);
  line.new_kek.file = absl::GetFlag(FLAGS_new_kek_file);
  line.new_kek.env = absl::GetFlag(FLAGS_new_kek_env);
  line.new_kek.passphrase_env = absl::GetFlag(FLAGS_new_passphrase_env);
  line.new_kek.passphrase = absl::GetFlag(FLAGS_new_passphrase);
  line.databases = absl::GetFlag(FLAGS_databases);
  line.without_databases = absl::GetFlag(FLAGS_without_databases);

  shardingdb::crypto_internal::KeyringEnvironment environment;
  environment.out = [](absl::string_view text) { WriteTo(stdout, text); };
  environment.err = [](absl::string_view text) { WriteTo(stderr, text); };
  environment.ask = shardingdb::crypto_internal::AskPassphrase;
  environment.hold_databases = [](const std::vector<std::string>& folders) {
    return shardingdb::HoldDatabases(/*env=*/nullptr, folders);
  };
  // Set by `bazel run`, which runs the program somewhere else.
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder != nullptr) environment.working_folder = folder;
  return EndProgram(static_cast<int>(
      shardingdb::crypto_internal::RunKeyring(line, environment)));
}
