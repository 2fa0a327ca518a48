// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_FOLDER_LOOK_H_
#define SHARDINGDB_TESTING_FOLDER_LOOK_H_

#include <map>
#include <string>

namespace shardingdb {

// Everything about `folder` and the files in it, by path, that a program could
// notice: contents, times, inodes. For tests in which nothing may change. What
// cannot be read fails the running test.
std::map<std::string, std::string> LookAtFolder(const std::string& folder);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_FOLDER_LOOK_H_
