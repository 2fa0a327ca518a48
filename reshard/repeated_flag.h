// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_REPEATED_FLAG_H_
#define SHARDINGDB_RESHARD_REPEATED_FLAG_H_

#include <string>
#include <vector>

namespace shardingdb {

// The name of a flag of reshard that is given twice among `arguments` (those of
// main without the program's name); empty if none is. The flag library lets the
// last one win, and folders of the first would be left out silently.
std::string RepeatedFlag(const std::vector<std::string>& arguments);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_REPEATED_FLAG_H_
