// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// another_writer FOLDER [KEY]: another process that opens the LevelDB in
// FOLDER, which it makes if it is missing, puts KEY with the value "theirs",
// and closes it. Exits with 0 if all that went well.

#include <memory>

#include "leveldb/db.h"
#include "leveldb/options.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* opened = nullptr;
  if (!leveldb::DB::Open(options, argv[1], &opened).ok()) return 1;
  const std::unique_ptr<leveldb::DB> db(opened);
  if (argc < 3) return 0;
  return db->Put(leveldb::WriteOptions(), argv[2], "theirs").ok() ? 0 : 1;
}
