// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "reshard/command_line.h"
#include "reshard/flag_error.h"
#include "reshard/repeated_flag.h"

// No list of folders: a name in it is empty.
constexpr char kThoseOfI[] = ",those of -i,";

ABSL_FLAG(std::string, i, "", "folders to read from, with commas between");
ABSL_FLAG(std::string, o, kThoseOfI, "folders that hold the set afterwards");
ABSL_FLAG(int, l, 1, "what to tell: 0 nothing, 1 summary, 2 detail");
ABSL_FLAG(std::string, sharding, "jump", "where keys belong");
ABSL_FLAG(bool, digest, false, "print the number of entries and their SHA-256");

namespace {

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

void WriteTo(std::FILE* file, absl::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

int UsageError(absl::string_view what) {
  WriteTo(stderr, absl::StrCat("reshard: usage error: ", what, "\n",
                               shardingdb::UsageText()));
  return static_cast<int>(shardingdb::ExitCode::kUsage);
}

bool AsksForHelp(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const absl::string_view argument = argv[i];
    if (argument == "--help" || argument == "-help" || argument == "-h") {
      return true;
    }
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (AsksForHelp(argc, argv)) {
    WriteTo(stdout, shardingdb::UsageText());
    return 0;
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string repeated = shardingdb::RepeatedFlag(arguments);
  if (!repeated.empty()) {
    return UsageError(absl::StrCat("-", repeated, " is given twice"));
  }
  const std::string wrong =
      shardingdb::FlagError(arguments, {"i", "o", "l", "sharding", "digest"});
  if (!wrong.empty()) return UsageError(wrong);
  absl::SetProgramUsageMessage(shardingdb::UsageText());
  const std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  if (rest.size() > 1) {
    return UsageError(absl::StrCat("what is '", rest[1], "'?"));
  }
  StopOnSignals();

  shardingdb::CommandLine line;
  line.inputs = absl::GetFlag(FLAGS_i);
  const std::string outputs = absl::GetFlag(FLAGS_o);
  if (outputs != kThoseOfI) line.outputs = outputs;
  line.level = absl::GetFlag(FLAGS_l);
  line.sharding = absl::GetFlag(FLAGS_sharding);
  line.digest = absl::GetFlag(FLAGS_digest);

  shardingdb::CommandEnvironment environment;
  environment.out = [](absl::string_view text) { WriteTo(stdout, text); };
  environment.err = [](absl::string_view text) { WriteTo(stderr, text); };
  environment.terminal = ::isatty(STDERR_FILENO) != 0;
  // Set by `bazel run`, which runs the program somewhere else.
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder != nullptr) environment.working_folder = folder;
  environment.stop = &stop;
  const shardingdb::ExitCode code =
      shardingdb::RunCommandLine(line, environment);
  // Whoever waits for the last line has not got it.
  const bool lost = std::ferror(stdout) != 0;
  return static_cast<int>(lost ? shardingdb::ExitCode::kStorage : code);
}
