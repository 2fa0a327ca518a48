// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/repeated_flag.h"

#include <cstddef>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace shardingdb {
namespace {

bool TakesAValue(absl::string_view name) {
  return name == "i" || name == "o" || name == "l" || name == "sharding";
}

}  // namespace

std::string RepeatedFlag(const std::vector<std::string>& arguments) {
  std::set<std::string> seen;
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view text = arguments[i];
    if (text == "--") break;
    if (!absl::StartsWith(text, "-")) continue;
    text.remove_prefix(absl::StartsWith(text, "--") ? 2 : 1);
    const size_t equals = text.find('=');
    const std::string name(text.substr(0, equals));
    if (!TakesAValue(name)) continue;
    if (!seen.insert(name).second) return name;
    // What follows is the value, whatever it looks like.
    if (equals == absl::string_view::npos) ++i;
  }
  return "";
}

}  // namespace shardingdb
