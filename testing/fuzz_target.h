// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_FUZZ_TARGET_H_
#define SHARDINGDB_TESTING_FUZZ_TARGET_H_

#include <string>

#include "absl/strings/string_view.h"

namespace shardingdb {

// What a fuzz target of fuzz.bzl defines: gives `input`, any bytes, to the code
// that it is about, and returns what was wrong, or "" where nothing was. It
// neither crashes nor keeps anything from one input to the next.
std::string FuzzOne(absl::string_view input);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_FUZZ_TARGET_H_
