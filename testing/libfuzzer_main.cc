// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A fuzz target under libFuzzer, which has the main() and makes the inputs.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "testing/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string error =
      shardingdb::FuzzOne({reinterpret_cast<const char*>(data), size});
  if (error.empty()) return 0;
  std::fprintf(stderr, "FuzzOne: %s\n", error.c_str());
  // How libFuzzer learns of it; it keeps the input.
  std::abort();
}
