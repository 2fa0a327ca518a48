// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_FLAGS_FLAG_ERROR_H_
#define SHARDINGDB_FLAGS_FLAG_ERROR_H_

#include <string>
#include <vector>

namespace shardingdb {

// What is wrong with the flags among `arguments` (those of main without the
// program's name): a flag that the program does not have, or one whose value is
// missing or not of its type, with as many dashes as it was given. Empty if
// nothing is. The flag library ends the program at such a flag, without a word
// of how it is used.
//
// `own` are the names of the flags that are checked for their values, and that
// are set to them. Others are the flag library's.
[[nodiscard]] std::string FlagError(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& own);

}  // namespace shardingdb

#endif  // SHARDINGDB_FLAGS_FLAG_ERROR_H_
