// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_FLAGS_ASKS_FOR_HELP_H_
#define SHARDINGDB_FLAGS_ASKS_FOR_HELP_H_

#include <algorithm>
#include <string>
#include <vector>

namespace shardingdb {

// Whether "--help", "-help" or "-h" is among `arguments` (those of main without
// the program's name). The flag library prints every flag there is then, and
// ends the program as if that were an error.
inline bool AsksForHelp(const std::vector<std::string>& arguments) {
  return std::any_of(
      arguments.begin(), arguments.end(), [](const std::string& argument) {
        return argument == "--help" || argument == "-help" || argument == "-h";
      });
}

}  // namespace shardingdb

#endif  // SHARDINGDB_FLAGS_ASKS_FOR_HELP_H_
