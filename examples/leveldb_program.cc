// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A program written for LevelDB, run on a plain LevelDB and on three shards: it
// cannot tell which is which.

#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "examples/word_index.h"
#include "examples/work_folder.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "shardingdb/sharding_db.h"

namespace {

int Fail(const std::string& error) {
  std::fprintf(stderr, "leveldb_program: %s\n", error.c_str());
  return 1;
}

int Run(const shardingdb::WorkFolder& folder) {
  leveldb::Options options;
  options.create_if_missing = true;

  leveldb::DB* db = nullptr;
  leveldb::Status status =
      leveldb::DB::Open(options, folder.Join("plain"), &db);
  if (!status.ok()) return Fail(status.ToString());
  const std::unique_ptr<leveldb::DB> plain(db);

  // The line that changes.
  status = shardingdb::ShardingDb::Open(
      options, {folder.Join("a"), folder.Join("b"), folder.Join("c")}, &db);
  if (!status.ok()) return Fail(status.ToString());
  const std::unique_ptr<leveldb::DB> sharded(db);

  const std::string plain_report = IndexAndReport(plain.get());
  const std::string sharded_report = IndexAndReport(sharded.get());
  std::printf("one LevelDB:\n%s\nthree shards:\n%s\n", plain_report.c_str(),
              sharded_report.c_str());
  if (plain_report != sharded_report) return Fail("the reports differ");
  std::printf("the same\n");
  return 0;
}

}  // namespace

int main() {
  absl::StatusOr<shardingdb::WorkFolder> folder =
      shardingdb::WorkFolder::Make("", "leveldb_program");
  if (!folder.ok()) return Fail(folder.status().ToString());
  return Run(*folder);
}
