// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "flags/flag_error.h"

#include <algorithm>
#include <cstddef>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace shardingdb {
namespace {

// Whether unknown flags may be none: a list that allows them is given.
bool MayBeUndefined(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const std::string& argument) {
                       return absl::StrContains(argument, "undefok") ||
                              absl::StrContains(argument, "flagfile");
                     });
}

}  // namespace

std::string FlagError(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& own) {
  if (MayBeUndefined(arguments)) return "";
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view text = arguments[i];
    if (text == "--") break;
    if (!absl::StartsWith(text, "-") || text == "-") continue;
    const size_t equals = text.find('=');
    const absl::string_view given = text.substr(0, equals);  // with its dashes
    const absl::string_view name =
        given.substr(absl::StartsWith(given, "--") ? 2 : 1);
    const bool has_value = equals != absl::string_view::npos;
    absl::CommandLineFlag* flag = absl::FindCommandLineFlag(name);
    if (flag == nullptr && absl::StartsWith(name, "no")) {
      flag = absl::FindCommandLineFlag(name.substr(2));
      if (flag != nullptr && flag->IsOfType<bool>() && !has_value) continue;
      flag = nullptr;
    }
    if (flag == nullptr) return absl::StrCat("unknown flag ", given);
    absl::string_view value = has_value ? text.substr(equals + 1) : "true";
    if (!has_value && !flag->IsOfType<bool>()) {
      if (++i == arguments.size()) return absl::StrCat(given, ": no value");
      value = arguments[i];
    }
    if (std::find(own.begin(), own.end(), name) == own.end()) continue;
    std::string error;
    if (!flag->ParseFrom(value, &error)) {
      return absl::StrCat(given, ": '", value, "' is not what it takes");
    }
  }
  return "";
}

}  // namespace shardingdb
