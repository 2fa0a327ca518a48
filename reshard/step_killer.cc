// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Reshards, and kills itself with SIGKILL on the way.
//
//   step_killer steps|files N INPUTS OUTPUTS BATCH_BYTES IN_VALUES OUT_VALUES
//
// with values as TestCodec knows them.
//
// "steps" kills at the Nth point that Reshard reports, "files" before the Nth
// change of a file. Ends with 0 if it comes to the end, and prints how many of
// them there were.

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "leveldb/env.h"
#include "reshard/offline_reshard.h"
#include "reshard/test_rings.h"
#include "testing/fault_injection_env.h"

namespace {

bool ChangesAFile(shardingdb::FileOperation operation) {
  switch (operation) {
    case shardingdb::FileOperation::kCreate:
    case shardingdb::FileOperation::kAppend:
    case shardingdb::FileOperation::kSync:
    case shardingdb::FileOperation::kRename:
    case shardingdb::FileOperation::kRemove:
      return true;
    default:
      return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t kill_at = 0;
  shardingdb::ReshardOptions options;
  if (argc != 8 || !absl::SimpleAtoi(argv[2], &kill_at) ||
      !absl::SimpleAtoi(argv[5], &options.batch_bytes)) {
    std::fprintf(stderr, "step_killer: wrong arguments\n");
    return 1;
  }
  options.inputs = absl::StrSplit(argv[3], ',');
  options.outputs = absl::StrSplit(argv[4], ',');
  options.in_values = shardingdb::TestCodec(argv[6]);
  options.out_values = shardingdb::TestCodec(argv[7]);

  std::atomic<uint64_t> passed{0};
  const auto pass = [&] {
    if (++passed == kill_at) std::raise(SIGKILL);
  };
  shardingdb::FaultInjectionEnv env(leveldb::Env::Default());
  if (std::string(argv[1]) == "steps") {
    options.on_step = [&](absl::string_view) { pass(); };
  } else {
    env.SetObserver(
        [&](shardingdb::FileOperation operation, const std::string&) {
          if (ChangesAFile(operation)) pass();
        });
    options.env = &env;
  }
  const absl::Status status = shardingdb::Reshard(options).status();
  if (!status.ok()) {
    std::fprintf(stderr, "step_killer: %s\n", status.ToString().c_str());
    return 2;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(passed.load()));
  return 0;
}
