// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_EXAMPLES_WORD_INDEX_H_
#define SHARDINGDB_EXAMPLES_WORD_INDEX_H_

#include <string>

#include "leveldb/db.h"

// A small program that was written for LevelDB and knows nothing else: an index
// of the words of a text. It puts, gets, deletes, writes batches, goes over
// ranges in both directions and reads through a snapshot, and reports what it
// saw.
std::string IndexAndReport(leveldb::DB* db);

#endif  // SHARDINGDB_EXAMPLES_WORD_INDEX_H_
