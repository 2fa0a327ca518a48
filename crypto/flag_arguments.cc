// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/flag_arguments.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace shardingdb::crypto_internal {

absl::StatusOr<std::vector<std::string>> FlagArguments(
    const std::vector<std::string>& arguments,
    const std::set<std::string>& without_value) {
  std::vector<std::string> result = arguments;
  std::set<std::string> seen;
  for (size_t i = 0; i < result.size(); ++i) {
    std::string& text = result[i];
    if (text == "--") break;
    if (!absl::StartsWith(text, "-") || text == "-") continue;
    const size_t begin = absl::StartsWith(text, "--") ? 2 : 1;
    const size_t end = std::min(text.find('='), text.size());
    std::replace(text.begin() + begin, text.begin() + end, '-', '_');
    const std::string name = text.substr(begin, end - begin);
    if (!seen.insert(name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat(arguments[i].substr(0, end), " is given twice"));
    }
    // What follows is the value, whatever it looks like.
    if (end == text.size() && without_value.count(name) == 0) ++i;
  }
  return result;
}

}  // namespace shardingdb::crypto_internal
