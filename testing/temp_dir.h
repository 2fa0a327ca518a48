// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_TEMP_DIR_H_
#define SHARDINGDB_TESTING_TEMP_DIR_H_

#include <string>

#include "absl/strings/string_view.h"

namespace shardingdb {

// A folder of one's own below $TEST_TMPDIR that goes, with all that it holds,
// when this object does.
//
//   TempDir dir;
//   OpenLevelDb(dir.Join("shard0"), ShardOptions());
//
// A folder that cannot be made or removed fails the running test.
class TempDir {
 public:
  TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir();

  // Absolute, without a slash at the end.
  const std::string& path() const { return path_; }

  // The path of `name` in this folder. Makes nothing.
  std::string Join(absl::string_view name) const;

 private:
  std::string path_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_TEMP_DIR_H_
